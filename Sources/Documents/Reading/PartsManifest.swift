import FileSystem
import Glibc
import JSON
import SystemPackage

/// The files of a settlement directory in parts, as `manifest.json` names them: what else is in the folders is no part.
struct PartsManifest {
  /// The names of each folder's files, in the report's order: the header, then the parts.
  private let files: [String: [String]]
  /// Whether a plan claimed the directory.
  let namesClaim: Bool

  /// Reads the manifest of a directory; nil if it has no such file, or if that is damaged.
  init?(_ directory: Directory) {
    guard let descriptor = try? directory.open(ReportLayout.manifest, O_RDONLY | O_NONBLOCK),
      let text = try? OpenFile(descriptor, shown: ReportLayout.manifest).bytes(atMost: .max - 1),
      let tree = try? JSONTree(parsing: text), let tables = tree["files"]?.elements
    else { return nil }
    var files: [String: [String]] = [:]
    for folder in ReportKind.folders {
      let table = tables.first { $0["name"]?.string == "\(folder).csv" }
      // Only a night that shows names has this.
      if table == nil, folder == ReportKind.fees.folder { continue }
      guard let parts = table?["parts"]?.elements else { return nil }
      var names: [String] = []
      for part in parts {
        guard let name = part["name"]?.string, name.hasPrefix("\(folder)/") else { return nil }
        let file = name.dropFirst(folder.utf8.count + 1)
        guard file.hasSuffix(".csv"), !file.contains("/") else { return nil }
        names.append(String(file))
      }
      files[folder] = names
    }
    self.files = files
    namesClaim = tree["claim"] != nil
  }

  subscript(folder: String) -> [String] { files[folder] ?? [] }
}
