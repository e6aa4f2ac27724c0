import Text

// The small writers of bank files.
extension TextBuffer {
  /// Appends bytes.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let start = bytes.baseAddress { append(start, count: bytes.count) }
  }

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

  /// Appends a field of a fixed width: a text, then spaces.
  mutating func append(_ content: UnsafeBufferPointer<UInt8>, width: Int) {
    append(content)
    append(repeating: 0x20, count: width - content.count)
  }

  /// Appends a field of a fixed width: a text, then spaces.
  mutating func append(_ content: String, width: Int) {
    append(content)
    append(repeating: 0x20, count: width - content.utf8.count)
  }

  /// Appends a field of a fixed width: a number after leading zeros.
  mutating func append(_ number: Int, digits: Int) {
    let start = reserve(digits)
    var rest = number
    for place in (0..<digits).reversed() {
      start[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
    precondition(rest == 0, "a number has room in its field")
    advance(by: digits)
  }

  /// Appends a byte `count` times.
  mutating func append(repeating byte: UInt8, count: Int) {
    precondition(count >= 0, "a text has room in its field")
    reserve(count).update(repeating: byte, count: count)
    advance(by: count)
  }
}
