import AdaptivePayments

/// Tells what is wrong with requests, all of it, and what of them is not carried over, the first ten of each field.
struct ImportFindings {
  /// The file that is read, for messages.
  var file = ""
  /// How many faults were told.
  private(set) var faults = 0
  /// How often each field was noted, by its name without indices.
  private var notes: [String: Int] = [:]

  private static let mostOfField = 10
  /// Of so many fields notes are counted one by one.
  private static let mostFields = 200
  private static let otherFields = "other fields"
  private static let lines = "lines that are no requests"

  /// Tells a fault or a note, as `file:line: error: ID at FIELD: reason`.
  mutating func tell(_ finding: RequestImport.Finding) {
    switch finding {
    case .fault(let fault):
      faults += 1
      tell(fault)
    case .note(let note):
      let name = note.field.isEmpty ? Self.lines : Self.withoutIndices(note.field)
      let key = notes[name] != nil || notes.count < Self.mostFields ? name : Self.otherFields
      notes[key, default: 0] += 1
      guard notes[key, default: 0] <= Self.mostOfField else { return }
      Log.notice("\(file):\(note.line): note: \(note.field)\(note.field.isEmpty ? "" : " ")\(note.reason)")
    }
  }

  /// As text, a fault is what was asked for, and begins with its place as in `settle validate`.
  private func tell(_ fault: RequestFault) {
    let place = fault.field.isEmpty ? "" : " at \(fault.field)"
    let line = "\(file):\(fault.line): error: \(fault.payPalErrorID)\(place): \(fault.reason)"
    guard Log.format == .json else { return Terminal.tell(line) }
    Log.logger.error(
      "\(line)",
      metadata: [
        "file": .string(file), "line": .stringConvertible(fault.line),
        "paypalErrorId": .stringConvertible(fault.payPalErrorID), "field": .string(fault.field),
      ])
  }

  /// Tells that a file was not read to its end.
  func tellUnread() { Log.error("\(file): the rest of the file is not read") }

  /// Tells that a file has no request.
  mutating func tellNothing(_ format: RequestImport.Format) {
    faults += 1
    let expected =
      switch format {
      case .json: "objects like {\"actionType\":\"PAY\", ...}"
      case .nameValue: "query strings like actionType=PAY&currencyCode=USD&..."
      }
    Log.error("\(file): no request was found; expected \(expected)")
  }

  /// Tells how often fields were noted of which not every note was told.
  func tellCounts() {
    for (name, count) in notes.sorted(by: { $0.key < $1.key }) where count > Self.mostOfField {
      Log.notice("note: \(name): \(count) times in all")
    }
  }

  private static func withoutIndices(_ field: String) -> String {
    var name = ""
    var isIndex = false
    for character in field {
      if character == "(" { isIndex = true }
      if !isIndex { name.append(character) }
      if character == ")" { isIndex = false }
    }
    return name
  }
}
