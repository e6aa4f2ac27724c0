/// A compressed format other than LZ4, which the engine recognizes but does not read.
///
/// Source of the list and of the magic bytes: the specification's page on the batch, section "File".
enum ForeignFormat: String, CaseIterable, Sendable {
  case gzip, zstd, bzip2, xz, zip

  static let longestMagic = 5

  /// The bytes such a file begins with.
  var magic: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .bzip2: [0x42, 0x5A, 0x68]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A]
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    }
  }

  /// The format of a file that begins with `start`; nil if it is none of these formats.
  init?(start: [UInt8]) {
    guard let format = Self.allCases.first(where: { start.starts(with: $0.magic) }) else { return nil }
    self = format
  }

  /// The message for the user.
  var reason: String {
    "the file is compressed with \(rawValue), where plain text or LZ4 frames were expected: "
      + "decompress it first, or recompress with lz4"
  }
}
