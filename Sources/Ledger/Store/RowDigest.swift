import Digests
import SQLite

/// XXH3 checksums of rows, to detect bytes that changed on the disk.
enum RowDigest {
  /// The digest of rows: of each column's name and value, except the digest in the first row. A column that is null is
  /// left out, so a column that a later version adds does not change a digest.
  ///
  /// - Parameter coversDigests: whether the columns `digest` of the other rows count. Version 6 left them out.
  static func of(_ rows: [Row], coversDigests: Bool = true) -> Int64 {
    var bytes: [UInt8] = []
    for (place, row) in rows.enumerated() {
      for (column, value) in row.columns where column != "digest" || place > 0 && coversDigests {
        let content: [UInt8]
        switch value {
        case .blob(let blob): content = blob
        case .text(let text): content = Array(text.utf8)
        case .integer(let number): content = Array("\(number)".utf8)
        case .real, .null: continue
        }
        bytes += "\(column) \(content.count) ".utf8 + content
      }
    }
    return Int64(bitPattern: XXH3.checksum(of: bytes.span))
  }
}
