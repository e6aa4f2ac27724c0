import Records

/// Answers about texts, for checks that take bytes; a byte that no text of its kind has stands behind them.
enum Judged {
  static func payKey(_ text: String) -> Bool { ask(text, PayKey.isValid) }
  static func batchIdentifier(_ text: String) -> Bool { ask(text, BatchIdentifier.isValid) }
  static func timestamp(_ text: String) -> Bool { ask(text, Timestamp.isValid) }
  static func url(_ text: String) -> Bool { ask(text, NotificationURL.isValid) }

  /// The account as it is compared, or nil where the text is none.
  static func account(_ text: String) -> String? { account(bytes: Array(text.utf8)) }

  static func account(bytes: [UInt8]) -> String? {
    var canonical = [UInt8](repeating: 0xEE, count: bytes.count + 1)
    let isAccount = (bytes + [0xFF]).withUnsafeBufferPointer { text in
      canonical.withUnsafeMutableBufferPointer { into in
        Account.canonicalize(text.baseAddress!, count: bytes.count, into: into.baseAddress!)
      }
    }
    precondition(canonical[bytes.count] == 0xEE, "more was written than there is room for")
    return isAccount ? String(decoding: canonical.dropLast(), as: UTF8.self) : nil
  }

  private static func ask(_ text: String, _ check: (UnsafePointer<UInt8>, Int) -> Bool) -> Bool {
    (Array(text.utf8) + [0xFF]).withUnsafeBufferPointer { check($0.baseAddress!, text.utf8.count) }
  }
}

/// Every ASCII character and some beyond.
enum Characters {
  static let ascii = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
  static let others = ["\u{80}", "é", "\u{17F}", "\u{212A}", "\u{FF10}", "\u{661}", "€", "😀", "\u{FEFF}", "\u{200B}"]
  static let all = ascii + others

  /// Those of `all` that `texts` with the character in them are taken for.
  static func taken(_ isTaken: (String) -> Bool) -> String { all.filter(isTaken).joined() }
}
