import Text

/// A record of a NACHA file while it is written: spaces, until its fields are set.
struct NACHALine {
  private(set) var bytes = [UInt8](repeating: 0x20, count: NACHALayout.lineLength)

  init(_ digit: UInt8) { bytes[0] = digit }

  /// Sets a field to a text, left-aligned.
  mutating func set(_ field: NACHAField, _ text: Span<UInt8>) {
    precondition(text.count <= field.width, "a text has room in its field")
    for place in text.indices { bytes[field.range.lowerBound + place] = text[place] }
  }

  mutating func set(_ field: NACHAField, _ text: String) { set(field, text.utf8Span.span) }

  /// Sets a field to a text, right-aligned.
  mutating func set(_ field: NACHAField, endingWith text: String) {
    precondition(text.utf8.count <= field.width, "a text has room in its field")
    for (place, byte) in zip(field.range.suffix(text.utf8.count), text.utf8) { bytes[place] = byte }
  }

  /// Sets a field to a number with zeros in front.
  mutating func set(_ field: NACHAField, _ number: Int) {
    var rest = number
    for place in field.range.reversed() {
      bytes[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
    precondition(rest == 0, "a number has room in its field")
  }
}

extension TextBuffer {
  /// Appends a record and its line end.
  mutating func append(_ line: NACHALine) {
    append(line.bytes)
    append("\n")
  }
}
