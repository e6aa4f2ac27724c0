import FileSystem
import Publication

extension Entry {
  /// Its files, if its directory exists.
  package var knownFiles: SummedFiles? { SummedFiles(at: directory, sums: sums) }

  /// Whether its files are in its directory, unchanged.
  package var isPublished: Bool { knownFiles?.verify() ?? false }

  /// Whether its reports were published at a URI, not in a directory of this machine.
  public var isAtURI: Bool { FileName.isURI(directory) }

  /// Whether its files may exist, unchanged; always true for reports at a URI, which are not checked.
  package var mayStand: Bool { isAtURI || isPublished }
}

extension FileName {
  /// Whether this is a URI, not an absolute path.
  package static func isURI(_ bytes: [UInt8]) -> Bool {
    bytes.first != UInt8(ascii: "/") && bytes.contains(UInt8(ascii: ":"))
  }
}
