/// Writes HTML so that no text of a batch can become markup.
///
/// The names of elements and attributes are literals in this source (`StaticString`); everything else is escaped. The
/// only exception is ``embed(_:_:)``, which takes only this target's own style and script. An element is closed by the
/// call that opened it.
final class HTMLWriter {
  /// Names and values of attributes. The values are escaped; an attribute whose value is nil is left out.
  typealias Attributes = KeyValuePairs<StaticString, String?>

  /// The page so far, in UTF-8.
  private(set) var bytes: [UInt8] = Array("<!DOCTYPE html>\n".utf8)

  /// Elements that have no end tag.
  private static let void: Set<String> = ["meta", "input", "wbr"]

  /// Writes an element and its contents.
  func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: () -> Void = {}) {
    append("<")
    append(name)
    for case (let attribute, let value?) in attributes {
      append(" ")
      append(attribute)
      append("=\"")
      text(value)
      append("\"")
    }
    append(">")
    if Self.void.contains(name.description) { return }
    content()
    append("</")
    append(name)
    append(">")
  }

  /// Writes an element that contains a text.
  func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
    element(name, attributes) { self.text(text) }
  }

  /// Writes a text, escaped.
  func text(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case UInt8(ascii: "'"): append("&#39;")
      default: bytes.append(byte)
      }
    }
  }

  /// Ends a line of the source, between elements where white space has no meaning.
  func newLine() { append("\n") }

  /// Writes a character by its number.
  func characterReference(_ scalar: Unicode.Scalar) {
    append("&#x")
    bytes.append(contentsOf: String(scalar.value, radix: 16, uppercase: true).utf8)
    append(";")
  }

  /// Writes an element whose text is not escaped: a style or script of this target.
  ///
  /// - Parameter source: the text; it must not end its element.
  func embed(_ name: StaticString, _ source: [UInt8]) {
    let text = String(decoding: source, as: UTF8.self)
    precondition(!text.contains("</") && !text.contains("<!--"), "a source that would end its element")
    element(name) { bytes.append(contentsOf: source) }
  }

  private func append(_ text: StaticString) { bytes.append(text.bytes) }
}
