import Console
import Import

/// Reports what is wrong with requests: of each file the first 1,000 errors, and how many have each id. Reports for each
/// field the first ten values that are not carried over. Memory does not grow with either.
struct ImportFindings {
  /// The file that is read, for messages.
  private(set) var file = ""
  /// How many faults were found.
  private(set) var faults = 0
  private var faultsOfFile = 0
  /// How many of the file's faults have each of PayPal's error ids.
  private var ids: [Int: Int] = [:]
  /// How often each field was noted, by its name without indices.
  private var notes: [String: Int] = [:]
  /// How often other fields were noted than those.
  private var otherNotes = 0

  private static let mostListed = 1_000
  private static let mostFields = 1_000
  private static let mostOfField = 10

  mutating func begin(_ file: String) {
    self.file = file
    (faultsOfFile, ids) = (0, [:])
  }

  /// Ends a file: reports how many errors it has, if they are not all listed.
  func end() {
    guard faultsOfFile > Self.mostListed else { return }
    let counts = ids.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (code: "\($0.key)", count: $0.value) }
    Log.reportCounts(file, faultsOfFile, listed: Self.mostListed, counts)
  }

  /// Reports a fault or a note, as `file:line: error: ID at FIELD: reason`.
  mutating func add(_ finding: RequestFinding) {
    let place = "\(file):\(finding.line)"
    guard let id = finding.payPalErrorID else {
      let name = finding.field.isEmpty ? "lines that are not requests" : finding.field.replacing(/\([^)]*\)?/, with: "")
      guard notes.count < Self.mostFields || notes[name] != nil else {
        otherNotes += 1
        return
      }
      notes[name, default: 0] += 1
      guard notes[name, default: 0] <= Self.mostOfField else { return }
      return Log.notice("\(place): note: \(finding.field)\(finding.field.isEmpty ? "" : " ")\(finding.reason)")
    }
    faults += 1
    faultsOfFile += 1
    ids[id, default: 0] += 1
    guard faultsOfFile <= Self.mostListed else { return }
    let field = finding.field.isEmpty ? "" : " at \(finding.field)"
    let line = "\(place): error: \(id)\(field): \(finding.reason)"
    // As text, a fault is the result of the command, and begins with its place as in `settle validate`.
    guard Log.format == .json else { return Terminal.writeErrorLine(line, in: .red) }
    Log.logger.error(
      "\(line)",
      metadata: [
        "file": .string(file), "line": .stringConvertible(finding.line),
        "paypalErrorId": .stringConvertible(id), "field": .string(finding.field),
      ])
  }

  /// Reports that a file has no request.
  mutating func addNoRequest(_ format: RequestImport.Format) {
    faults += 1
    Log.error("\(file): no request was found; expected \(format.expected)")
  }

  /// Reports the total for each field whose notes were not all written.
  func reportCounts() {
    for (name, count) in notes.sorted(by: { $0.key < $1.key }) where count > Self.mostOfField {
      Log.notice("note: \(name): \(Terminal.count(count, "time")) in all")
    }
    if otherNotes > 0 { Log.notice("note: other fields: \(Terminal.count(otherNotes, "time")) in all") }
  }
}
