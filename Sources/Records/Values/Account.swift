import Glibc
import Text

/// An account: an email address or a phone number, at most 255 characters.
///
/// Email, by regular expression: `[A-Za-z0-9][A-Za-z0-9.!#$%&'*+/=?^_{|}~-]*@LABEL(\.LABEL)+`, where `LABEL` is
/// `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`. Phone: `\+[1-9][0-9]{6,14}` (`batch.md`, "Payment").
public enum Account {
  /// The most characters of an account.
  public static let maximumLength = 255

  /// Checks an account and writes its canonical form, with ASCII letters in lower case, as accounts are compared and
  /// reported.
  ///
  /// - Parameter canonical: room for `count` bytes; its contents are meaningless if the result is false.
  /// - Returns: whether the bytes are an account.
  public static func canonicalize(
    _ bytes: UnsafePointer<UInt8>, count: Int, into canonical: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard count >= 1, count <= maximumLength else { return false }
    if let isAccount = AccountMasks.judge(bytes, count: count, into: canonical) { return isAccount }
    if bytes[0] == UInt8(ascii: "+") {
      memcpy(canonical, bytes, count)
      return isPhone(bytes, count: count)
    }
    guard ASCIIClass.of(bytes[0]) & ASCIIClass.alphanumeric != 0 else { return false }
    var at = 0
    while at < count, ASCIIClass.of(bytes[at]) & ASCIIClass.localPart != 0 {
      canonical[at] = lowercased(bytes[at])
      at += 1
    }
    guard at < count, bytes[at] == UInt8(ascii: "@") else { return false }
    canonical[at] = UInt8(ascii: "@")
    return isDomain(bytes + at + 1, count: count - at - 1, into: canonical + at + 1)
  }

  /// An ASCII letter in lower case; any other byte unchanged.
  @inlinable
  public static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private static func isPhone(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard count >= 8, count <= 16, bytes[1] != UInt8(ascii: "0") else { return false }
    for index in 1..<count where ASCIIClass.of(bytes[index]) & ASCIIClass.digit == 0 {
      return false
    }
    return true
  }

  private static func isDomain(
    _ bytes: UnsafePointer<UInt8>, count: Int, into canonical: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var labels = 0
    var labelStart = 0
    var at = 0
    while at < count {
      let byte = bytes[at]
      canonical[at] = lowercased(byte)
      if ASCIIClass.of(byte) & ASCIIClass.alphanumeric == 0 {
        if byte == UInt8(ascii: ".") {
          guard isLabel(bytes, labelStart..<at) else { return false }
          labels += 1
          labelStart = at + 1
        } else if byte != UInt8(ascii: "-") {
          return false
        }
      }
      at += 1
    }
    return labels >= 1 && isLabel(bytes, labelStart..<count)
  }

  /// Whether the letters, digits and dashes of a range are a label: 1 to 63, no dash at either end.
  private static func isLabel(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Bool {
    range.count >= 1 && range.count <= 63 && bytes[range.lowerBound] != UInt8(ascii: "-")
      && bytes[range.upperBound - 1] != UInt8(ascii: "-")
  }
}

extension Account {
  /// An account in lower case; nil if the text is not an account.
  public static func canonical(_ text: some Sequence<UInt8>) -> [UInt8]? {
    let bytes = Array(text)
    var canonical = bytes
    let isAccount = canonical.withUnsafeMutableBufferPointer { into in
      into.baseAddress.map { Account.canonicalize(bytes, count: bytes.count, into: $0) } ?? false
    }
    return isAccount ? canonical : nil
  }
}
