/// The local name of an element, compared as numbers: its length and its last 24 bytes.
///
/// No name that is read is longer, so that two names of which one is read are equal only if they are the same.
struct ElementName: Equatable, Sendable {
  private static let mostBytes = 24

  private var count = 0
  /// The last bytes, eight each.
  private var (first, second, third): (UInt64, UInt64, UInt64) = (0, 0, 0)

  init() {}

  init(_ name: String) {
    precondition(name.utf8.count <= Self.mostBytes, "\(name) is too long to be compared")
    for byte in name.utf8 { append(byte) }
  }

  mutating func append(_ byte: UInt8) {
    first = first << 8 | second >> 56
    second = second << 8 | third >> 56
    third = third << 8 | UInt64(byte)
    count += 1
  }
}
