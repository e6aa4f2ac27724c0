import Records

/// Runs checks that take bytes on texts; each text is followed by a byte that is not allowed in texts of its kind.
enum Judged {
  static func payKey(_ text: String) -> Bool { ask(text, PayKey.isValid) }
  static func batchIdentifier(_ text: String) -> Bool { ask(text, BatchIdentifier.isValid) }
  static func timestamp(_ text: String) -> Bool { ask(text, Timestamp.isValid) }
  static func url(_ text: String) -> Bool { ask(text, NotificationURL.isValid) }

  /// The account in the form in which it is compared; nil if the text is not an account.
  static func account(_ text: String) -> String? { account(bytes: Array(text.utf8)) }

  static func account(bytes: [UInt8]) -> String? {
    var canonical = bytes
    let isAccount = Account.canonicalize(&canonical)
    precondition(Account.isCanonical(bytes.span) == (isAccount && canonical == bytes), "two checks disagree")
    return isAccount ? String(decoding: canonical, as: UTF8.self) : nil
  }

  private static func ask(_ text: String, _ check: (Span<UInt8>) -> Bool) -> Bool {
    check((Array(text.utf8) + [0xFF]).span.extracting(first: text.utf8.count))
  }
}

/// Every ASCII character and some beyond.
enum Characters {
  static let ascii = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
  static let others = ["\u{80}", "é", "\u{17F}", "\u{212A}", "\u{FF10}", "\u{661}", "€", "😀", "\u{FEFF}", "\u{200B}"]
  static let all = ascii + others

  /// The characters of `all` that are accepted in `texts`.
  static func taken(_ isTaken: (String) -> Bool) -> String { all.filter(isTaken).joined() }
}
