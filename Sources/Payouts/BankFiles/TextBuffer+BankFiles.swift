import Text

// The small writers of bank files.
extension TextBuffer {
  /// Appends the reference of a payment.
  mutating func append(reference payout: Int, _ number: Int) {
    append("P")
    append(number: payout)
    append("-")
    append(number: number)
  }

  /// Appends an XML element. Its text is in the banks' characters, which need no escapes.
  mutating func append(element name: StaticString, _ content: String) {
    append("<", name, ">")
    append(content)
    append("</", name, ">")
  }

  /// Appends a byte `count` times.
  mutating func append(repeating byte: UInt8, count: Int) {
    precondition(count >= 0, "a text has room in its field")
    for _ in 0..<count { append(byte) }
  }
}
