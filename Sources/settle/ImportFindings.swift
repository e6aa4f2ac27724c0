import Console
import Import

/// Reports everything that is wrong with requests, and for each field the first ten values that are not carried over.
struct ImportFindings {
  /// The file that is read, for messages.
  var file = ""
  /// How many faults were reported.
  private(set) var faults = 0
  /// How often each field was noted, by its name without indices.
  private var notes: [String: Int] = [:]

  private static let mostOfField = 10

  /// Reports a fault or a note, as `file:line: error: ID at FIELD: reason`.
  mutating func tell(_ finding: RequestFinding) {
    let place = "\(file):\(finding.line)"
    guard let id = finding.payPalErrorID else {
      let name = finding.field.isEmpty ? "lines that are not requests" : finding.field.replacing(/\([^)]*\)?/, with: "")
      notes[name, default: 0] += 1
      guard notes[name, default: 0] <= Self.mostOfField else { return }
      return Log.notice("\(place): note: \(finding.field)\(finding.field.isEmpty ? "" : " ")\(finding.reason)")
    }
    faults += 1
    let field = finding.field.isEmpty ? "" : " at \(finding.field)"
    let line = "\(place): error: \(id)\(field): \(finding.reason)"
    // As text, a fault is the result of the command, and begins with its place as in `settle validate`.
    guard Log.format == .json else { return Terminal.tell(line, in: .red) }
    Log.logger.error(
      "\(line)",
      metadata: [
        "file": .string(file), "line": .stringConvertible(finding.line),
        "paypalErrorId": .stringConvertible(id), "field": .string(finding.field),
      ])
  }

  /// Reports that a file has no request.
  mutating func tellNothing(_ format: RequestImport.Format) {
    faults += 1
    Log.error("\(file): no request was found; expected \(format.expected)")
  }

  /// Reports the total for each field whose notes were not all written.
  func tellCounts() {
    for (name, count) in notes.sorted(by: { $0.key < $1.key }) where count > Self.mostOfField {
      Log.notice("note: \(name): \(Terminal.count(count, "time")) in all")
    }
  }
}
