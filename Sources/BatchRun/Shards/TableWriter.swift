import JSON
import Reports
import Text

/// Takes reports that may be folders of parts.
protocol DividedDestination: ReportDestination {
  /// Makes the folder of a report's parts.
  func makeFolder(_ name: String) throws(RunFailure)

  /// The SHA-256 of a file that is ended, in hexadecimal digits.
  func digest(of name: String) -> String
}

extension SettlementDirectory: DividedDestination {
  func digest(of name: String) -> String { digests[name] ?? "" }
}

/// Writes reports one after the other, as files or as folders of parts.
final class TableWriter<Destination: DividedDestination> {
  private let destination: Destination
  private let layout: ReportLayout
  private var kind = ReportKind.settlement
  private var file: Destination.Report?
  /// The name of the file, and its bytes so far.
  private var name = ""
  private var bytes = 0
  private var partNumber = 0
  /// The bytes and rows of the report, and its parts, for the manifest.
  private var allBytes = 0
  private var rows = 0
  private var parts: [JSONTree] = []
  private var tables: [(name: String, tree: JSONTree)] = []

  /// The bytes behind which a part ends where nothing else ends it.
  private static var partLength: Int { 64 << 20 }

  init(_ destination: Destination, _ layout: ReportLayout) {
    self.destination = destination
    self.layout = layout
  }

  /// Begins a report with its header row.
  func begin(_ kind: ReportKind) throws(RunFailure) {
    self.kind = kind
    (partNumber, allBytes, rows, parts) = (0, 0, 0, [])
    guard layout == .parts, let folder = kind.folder else {
      name = kind.fileName
      file = try destination.makeFile(name)
      try file?.write(kind.header)
      return
    }
    try destination.makeFolder(folder)
    name = "\(folder)/\(ReportKind.headerPart)"
    file = try destination.makeFile(name)
    try file?.write(kind.header)
    bytes = kind.header.utf8.count
    try endPart()
  }

  /// Takes whole rows, or pieces of them.
  func write(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    guard count > 0 else { return }
    guard layout == .parts, let folder = kind.folder else {
      try file.unsafelyUnwrapped.write(text, count: count)
      return
    }
    if file == nil {
      name = "\(folder)/\(ReportKind.partName(partNumber))"
      file = try destination.makeFile(name)
      partNumber += 1
    }
    try file?.write(text, count: count)
    bytes += count
    rows += UnsafeBufferPointer(start: text, count: count).lineFeeds
    if bytes >= Self.partLength, text[count - 1] == 0x0A { try endPart() }
  }

  /// Ends the part, where the report is a folder.
  func endPart() throws(RunFailure) {
    guard layout == .parts, let file else { return }
    try destination.finish(file, name: name)
    parts.append(["name": .string(name), "bytes": .number(bytes), "sha256": .string(destination.digest(of: name))])
    allBytes += bytes
    bytes = 0
    self.file = nil
  }

  /// Ends the report.
  func end() throws(RunFailure) {
    if layout == .parts { try endPart() }
    if let file { try destination.finish(file, name: name) }
    file = nil
    tables.append(
      (
        kind.fileName,
        [
          "name": .string(kind.fileName), "bytes": .number(allBytes), "rows": .number(rows), "parts": .array(parts),
        ]
      ))
  }

  /// Writes what tells the parts.
  func finish() throws(RunFailure) {
    guard layout == .parts else { return }
    let manifest: JSONTree = [
      "format": .string("settle-parts"), "version": .number(1),
      "files": .array(tables.sorted { $0.name < $1.name }.map(\.tree)),
    ]
    let file = try destination.makeFile(ReportLayout.manifest)
    try file.write(manifest.description + "\n")
    try destination.finish(file, name: ReportLayout.manifest)
  }
}
