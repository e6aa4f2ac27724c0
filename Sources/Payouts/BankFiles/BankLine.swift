/// A line of a file for the bank.
struct BankLine: ~Escapable {
  private let text: Span<UInt8>

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// A part of it.
  subscript(part: Range<Int>) -> Span<UInt8> { @_lifetime(copy self) get { text.extracting(part) } }

  func begins(_ other: StaticString) -> Bool { text.starts(with: other.bytes) }

  func begins(_ byte: UInt8) -> Bool { !text.isEmpty && text[0] == byte }

  /// The place of the text between two texts; nil if they are not in the line.
  func place(between before: String, and after: String) -> Range<Int>? {
    guard let start = text.place(of: before.utf8Span.span).map({ $0 + before.utf8.count }),
      let end = text.place(of: after.utf8Span.span, from: start)
    else { return nil }
    return start..<end
  }

  /// The text between two texts; empty if they are not in the line.
  func string(between before: String, and after: String) -> String {
    place(between: before, and: after).map { String(decoding: self[$0]) } ?? ""
  }

  /// The place of a field of fixed width, without spaces at its ends; nil if the line is shorter, or the field is empty.
  func place(of field: NACHAField) -> Range<Int>? {
    guard text.count >= field.range.upperBound else { return nil }
    var (start, end) = (field.range.lowerBound, field.range.upperBound)
    while start < end, text[end - 1] == 0x20 { end -= 1 }
    while start < end, text[start] == 0x20 { start += 1 }
    return start < end ? start..<end : nil
  }

  /// The field as a string, empty if it is not ASCII: then it would not fit into the field again.
  func string(_ field: NACHAField) -> String {
    guard let place = place(of: field), self[place].allSatisfy({ $0 < 0x80 }) else { return "" }
    return String(decoding: self[place])
  }
}
