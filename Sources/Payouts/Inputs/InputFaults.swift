/// The faults of a file: how many there are of each code, and the first of them. Memory does not grow with their number.
package struct InputFaults {
  /// The most faults of a file that are listed.
  static let mostListed = 1_000

  package private(set) var count = 0
  private(set) var counts: [InputFault.Code: Int] = [:]
  /// Once `count` is above twice the limit, not sorted and cut anew for each fault.
  private var kept: [InputFault] = []
  /// Faults from this one on are not listed.
  private var end: InputFault?

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func add(_ fault: InputFault) {
    count += 1
    counts[fault.code, default: 0] += 1
    if let end, !InputFault.precedes(fault, end) { return }
    kept.append(fault)
    guard kept.count == 2 * Self.mostListed else { return }
    kept = listed
    end = kept.last
  }

  /// The first faults, in the order of lines and columns.
  package var listed: [InputFault] { Array(kept.sorted(by: InputFault.precedes).prefix(Self.mostListed)) }
}

/// The faults of a file as the command reports them.
public struct FileFaults: Sendable {
  /// The file's path as given, safe to show.
  public let file: String
  /// The first faults, at most 1,000.
  public let listed: [ReportedFault]
  /// The number of faults, listed or not.
  public let count: Int
  /// The number of faults with each code, the most frequent first.
  public let counts: [(code: String, count: Int)]

  package init(_ file: String, _ fault: ReportedFault) {
    (self.file, listed, count, counts) = (file, [fault], 1, [(fault.code, 1)])
  }

  init(_ file: String, _ faults: InputFaults, columns: [String]) {
    self.file = file
    count = faults.count
    counts = faults.counts.map { ($0.key.rawValue, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    listed = faults.listed.map { fault in
      ReportedFault(
        file: file, line: fault.line, code: fault.code.rawValue, field: fault.column.map { columns[$0] },
        message: fault.message(columns: columns))
    }
  }
}

extension ReadFile where Content: RecordFile {
  /// What is wrong with the file; nil if nothing is.
  var reportedFaults: FileFaults? {
    content.faults.isEmpty ? nil : FileFaults(shown, content.faults, columns: Content.allColumns)
  }
}
