import Claims
import ExactArithmetic
import Text

/// Writes the values of a serialized form in order.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  package mutating func flag(_ flag: Bool) { byte(flag ? 1 : 0) }

  /// A number that is not negative, as LEB128.
  package mutating func number(_ value: Int) {
    precondition(value >= 0 && value <= ByteReader.largestNumber, "counts and places are below 2^56")
    Varint.write(UInt64(value)) { byte($0) }
  }

  package mutating func fingerprint(_ fingerprint: Fingerprint) {
    var text = TextBuffer(capacity: Fingerprint.length)
    fingerprint.append(to: &text)
    bytes.append(text.span)
  }

  package mutating func decimal(_ decimal: ExactDecimal) { text("\(decimal)") }

  package mutating func text(_ text: [UInt8]) {
    number(text.count)
    bytes += text
  }

  package mutating func text(_ text: String) {
    number(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}
