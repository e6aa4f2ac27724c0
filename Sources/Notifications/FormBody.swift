import Digests
import Text

/// The body of a message, field by field: `application/x-www-form-urlencoded` in UTF-8.
struct FormBody: ~Copyable {
  /// The body so far.
  private(set) var text = TextBuffer(capacity: 1 << 12)
  private let key: [UInt8]?

  /// - Parameter key: the key that signs bodies; nil if they are not signed.
  init(key: [UInt8]?) { self.key = key }

  /// Begins another body.
  mutating func removeAll() { text.removeAll(keeping: 1 << 14) }

  /// Appends a field unless its value is empty.
  ///
  /// - Parameters:
  ///   - name: bytes that need no escape.
  ///   - transaction: the number of the receiver's row, from 0; nil for a field of the whole message.
  mutating func append(_ name: StaticString, of transaction: Int? = nil, _ value: some Collection<UInt8>) {
    if value.isEmpty { return }
    begin(name, of: transaction)
    for byte in value { text.append(form: byte) }
  }

  /// Appends a field with a fixed value.
  mutating func append(_ name: StaticString, of transaction: Int? = nil, _ value: StaticString) {
    if value.bytes.isEmpty { return }
    begin(name, of: transaction)
    for place in value.bytes.indices { text.append(form: value.bytes[place]) }
  }

  private mutating func begin(_ name: StaticString, of transaction: Int?) {
    if text.count > 0 { text.append(UInt8(ascii: "&")) }
    if let transaction {
      text.append("transaction%5B")
      text.append(number: transaction)
      text.append("%5D.")
    }
    text.append(name)
    text.append(UInt8(ascii: "="))
  }

  /// Appends the last fields of every body, with the signature at the end.
  mutating func finish() {
    append("notify_version", "UNVERSIONED")
    append("charset", "UTF-8")
    guard let key else { return }
    let signature = SHA256.authenticationCode(of: text.span, key: key)
    text.append("&verify_sign=")
    text.append(signature.hexadecimal)
  }
}

extension TextBuffer {
  /// Appends a byte of a form's value: `A-Za-z0-9*-._` unchanged, a space as `+`, every other byte as `%XX`.
  fileprivate mutating func append(form byte: UInt8) {
    switch byte {
    case UInt8(ascii: " "): append(UInt8(ascii: "+"))
    case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): append(byte)
    case _ where ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0: append(byte)
    default:
      append(UInt8(ascii: "%"))
      let digits: StaticString = "0123456789ABCDEF"
      append(digits.bytes[Int(byte >> 4)])
      append(digits.bytes[Int(byte & 15)])
    }
  }
}
