import Failures
import JSON
import Publication
import Documents

/// Takes reports that may be folders of parts.
protocol DividedDestination: ReportDestination {
  /// The SHA-256 in hexadecimal digits of each finished file, and of each that another program supplies.
  var digests: [String: String] { get set }

  /// Makes the folder of a report's parts.
  func makeFolder(_ name: String) throws(Failure)
}

extension SettlementDirectory: DividedDestination {}

/// Writes reports one after the other, as files or as folders of parts.
final class TableWriter<Destination: DividedDestination> {
  private let destination: Destination
  private let layout: ReportLayout
  /// Whether parts without rows at the end of a report are named, too.
  private let namesAllParts: Bool
  private var kind = ReportKind.settlement
  private var file: Destination.Report?
  /// The name of the file.
  private var name = ""
  /// Whether another program supplies the part, which is only counted here.
  private var isElsewhere = false
  /// The parts without rows since the last one with rows. If a later part has rows, they are made, to leave no gap.
  private var empty: [String] = []
  /// The bytes of the part so far.
  private var bytes = 0
  /// The bytes and rows of the report, and its parts, for the manifest.
  private var allBytes = 0
  private var rows = 0
  private var parts: [JSONTree] = []
  private var tables: [(name: String, tree: JSONTree)] = []

  init(_ destination: Destination, _ layout: ReportLayout, namesAllParts: Bool = false) {
    self.destination = destination
    self.layout = layout
    self.namesAllParts = namesAllParts
  }

  private var folder: String? { layout == .parts ? kind.folder : nil }

  /// Begins a report with its header row.
  func begin(_ kind: ReportKind) throws(Failure) {
    self.kind = kind
    (bytes, allBytes, rows, parts) = (kind.header.utf8.count, 0, 0, [])
    if let folder { try destination.makeFolder(folder) }
    (name, isElsewhere) = (folder.map { "\($0)/\(ReportKind.headerPart)" } ?? kind.fileName, false)
    file = try destination.makeFile(name)
    try file?.write(kind.header)
    try endPart()
  }

  /// Begins a part; its number says where its rows come from. Parts without rows at the end of a report are left out.
  ///
  /// - Parameter digest: the SHA-256 of a part that another program supplies; nil if it is written here.
  func beginPart(_ number: Int, digest: String? = nil) {
    guard let folder else { return }
    name = "\(folder)/\(ReportKind.partName(number))"
    isElsewhere = digest != nil
    if let digest { destination.digests[name] = digest }
  }

  /// Takes whole rows, or pieces of them.
  func write(_ text: Span<UInt8>) throws(Failure) {
    guard !text.isEmpty else { return }
    if file == nil, !isElsewhere { file = try destination.makeFile(name) }
    try file?.write(text)
    if folder != nil { count(bytes: text.count, rows: text.lineFeeds) }
  }

  /// Counts what another program supplies.
  func count(bytes: Int, rows: Int) {
    self.bytes += bytes
    self.rows += rows
  }

  /// Ends the part, if the report is a folder.
  func endPart() throws(Failure) {
    guard folder != nil else { return }
    if bytes == 0 {
      empty.append(name)
      return namesAllParts ? try listEmpty() : ()
    }
    try listEmpty()
    if let file { try destination.finish(file, name: name) }
    file = nil
    list(name, bytes: bytes)
    allBytes += bytes
    bytes = 0
  }

  private func listEmpty() throws(Failure) {
    for name in empty {
      if !isElsewhere { try destination.finish(destination.makeFile(name), name: name) }
      list(name)
    }
    empty = []
  }

  private func list(_ name: String, bytes: Int = 0) {
    let digest = destination.digests[name] ?? ""
    parts.append(["name": .string(name), "bytes": .number(bytes), "sha256": .string(digest)])
  }

  /// Ends the report.
  func end() throws(Failure) {
    if let file { try destination.finish(file, name: name) }
    file = nil
    for name in empty { destination.digests[name] = nil }
    empty = []
    tables.append(
      (
        kind.fileName,
        [
          "name": .string(kind.fileName), "bytes": .number(allBytes), "rows": .number(rows), "parts": .array(parts),
        ]
      ))
  }

  /// Writes the manifest, which lists the parts and names the claim.
  func finish(_ claim: OutputClaim?) throws(Failure) {
    guard layout == .parts else { return }
    if let claim {
      let file = try destination.makeFile(ReportLayout.claim)
      try file.write(claim.text.span)
      try destination.finish(file, name: ReportLayout.claim)
    }
    let manifest = JSONTree.object(
      [("format", .string("settle-parts")), ("version", .number(1))] + (claim.map { [("claim", $0.fields)] } ?? [])
        + [("files", .array(tables.sorted { $0.name < $1.name }.map(\.tree)))])
    let file = try destination.makeFile(ReportLayout.manifest)
    try file.write(manifest.description + "\n")
    try destination.finish(file, name: ReportLayout.manifest)
  }
}
