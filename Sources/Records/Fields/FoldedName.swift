/// Names of fields as they are compared: ASCII letters in lower case, without `_`, `-`, `.` and spaces (`rules.md`,
/// "Fields that look like another").
enum FoldedName {
  /// The most bytes of a folded name that can look like a field: `maxNumberOfPaymentsPerPeriod` has 28.
  private static let longest = 32

  /// A folded name; nil if it is longer than that of any field.
  static func folded(_ name: Span<UInt8>) -> [UInt8]? {
    var word: [UInt8] = []
    word.reserveCapacity(longest)
    for place in name.indices where isKept(name[place]) {
      guard word.count < longest else { return nil }
      word.append(Account.lowercased(name[place]))
    }
    return word
  }

  /// A field's own name, folded.
  static func folded(_ name: String) -> [UInt8] { name.utf8.filter(isKept).map(Account.lowercased) }

  private static func isKept(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "): false
    default: true
    }
  }
}
