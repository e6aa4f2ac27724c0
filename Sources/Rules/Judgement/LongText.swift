import Text

/// Texts that are longer than the tables of `batch.md` allow. Only their beginning is used
/// (`rules.md`, "What no amount depends on").
public enum LongText {
  /// The most characters of most texts.
  public static let most = 255
  /// The most characters of a payment's `memo`.
  static let mostOfMemo = 1000

  /// Cuts a text to its first characters if it has more than `most`. Card numbers are masked in the whole text before
  /// that, so that no part of one is left.
  ///
  /// - Returns: whether a card number was masked. A text that is not too long is not changed.
  static func cut(_ text: inout [UInt8], to most: Int) -> Bool {
    // A character takes at least a byte.
    guard text.count > most, UTF8Text.scalarCount(text.span) > most else { return false }
    let isMasked = CardNumberMask.apply(to: &text)
    text.removeSubrange(end(of: most, in: text)...)
    return isMasked
  }

  /// Where the first `count` characters of a text end.
  private static func end(of count: Int, in text: [UInt8]) -> Int {
    var left = count
    for place in text.indices where text[place] & 0xC0 != 0x80 {
      if left == 0 { return place }
      left -= 1
    }
    return text.count
  }
}
