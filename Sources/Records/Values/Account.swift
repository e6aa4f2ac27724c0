import Text

/// An account: an email address or a phone number, at most 255 characters.
///
/// Email, by regular expression: `[A-Za-z0-9][A-Za-z0-9.!#$%&'*+/=?^_{|}~-]*@LABEL(\.LABEL)+`, where `LABEL` is
/// `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`. Phone: `\+[1-9][0-9]{6,14}` (`batch.md`, "Payment").
public enum Account {
  /// The most characters of an account.
  public static let maximumLength = 255

  /// Checks an account and converts it to its canonical form, with ASCII letters in lower case, as accounts are
  /// compared and reported.
  ///
  /// - Parameter text: its contents are meaningless if the result is false.
  /// - Returns: whether the text is an account.
  public static func canonicalize(_ text: inout MutableSpan<UInt8>) -> Bool {
    guard text.count >= 1, text.count <= maximumLength else { return false }
    if let isAccount = AccountMasks.judge(&text) { return isAccount }
    if text[0] == UInt8(ascii: "+") { return isPhone(text.span) }
    guard ASCIIClass.of(text[0]) & ASCIIClass.alphanumeric != 0 else { return false }
    var at = 0
    while at < text.count, ASCIIClass.of(text[at]) & ASCIIClass.localPart != 0 {
      text[at] = lowercased(text[at])
      at += 1
    }
    guard at < text.count, text[at] == UInt8(ascii: "@") else { return false }
    return isDomain(&text, from: at + 1)
  }

  /// An ASCII letter in lower case; any other byte unchanged.
  @inlinable
  public static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private static func isPhone(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 8, text.count <= 16, text[1] != UInt8(ascii: "0") else { return false }
    for index in 1..<text.count where ASCIIClass.of(text[index]) & ASCIIClass.digit == 0 {
      return false
    }
    return true
  }

  private static func isDomain(_ text: inout MutableSpan<UInt8>, from start: Int) -> Bool {
    var labels = 0
    var labelStart = start
    var at = start
    while at < text.count {
      let byte = text[at]
      text[at] = lowercased(byte)
      if ASCIIClass.of(byte) & ASCIIClass.alphanumeric == 0 {
        if byte == UInt8(ascii: ".") {
          guard isLabel(text.span, labelStart..<at) else { return false }
          labels += 1
          labelStart = at + 1
        } else if byte != UInt8(ascii: "-") {
          return false
        }
      }
      at += 1
    }
    return labels >= 1 && isLabel(text.span, labelStart..<text.count)
  }

  /// Whether the letters, digits and dashes of a range are a label: 1 to 63, no dash at either end.
  private static func isLabel(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.count >= 1 && range.count <= 63 && text[range.lowerBound] != UInt8(ascii: "-")
      && text[range.upperBound - 1] != UInt8(ascii: "-")
  }
}

extension Account {
  /// An account in lower case; nil if the text is not an account.
  public static func canonical(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var canonical = Array(text)
    return canonicalize(&canonical) ? canonical : nil
  }

  /// Whether a text is an account in lower case.
  public static func isCanonical(_ text: Span<UInt8>) -> Bool {
    guard text.count <= maximumLength else { return false }
    var canonical = Array(text)
    return canonicalize(&canonical) && canonical.span.isEqual(to: text)
  }

  /// Checks an account and converts it to its canonical form.
  public static func canonicalize(_ text: inout [UInt8]) -> Bool {
    var bytes = text.mutableSpan
    return canonicalize(&bytes)
  }
}
