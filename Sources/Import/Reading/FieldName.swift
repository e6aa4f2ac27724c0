import Text

/// The name of a request's field: names and indices, `receiverList.receiver(0).email`.
///
/// Indices are in round or square brackets, as in PayPal's guide and its SDKs. A name may also be in square brackets,
/// because some programs encode nested arrays that way.
struct FieldName: Equatable {
  /// The name with indices in round brackets, cut after `Limits.nameBytes` + 1 bytes.
  let text: String
  /// Whether the name was longer.
  var isCut: Bool { text.utf8.count > Limits.nameBytes }

  enum Part: Equatable {
    case name(String)
    case index(Int)
  }

  /// Takes a name as the request writes it.
  init(_ name: String) {
    self.init(
      joining: Self.parts(name).map { part in
        switch part {
        case .name(let name): ".\(name)"
        case .index(let index): "(\(index))"
        }
      })
  }

  private init(joining parts: [String]) {
    let whole = parts.joined().utf8.drop { $0 == UInt8(ascii: ".") }
    text = String(decoding: whole.prefix(Limits.nameBytes + 1), as: UTF8.self)
  }

  /// The empty name: the request as a whole.
  static let root = FieldName("")

  /// The name of a JSON field within this field.
  func appending(_ name: String) -> FieldName { FieldName(joining: [text, ".", FieldName(name).text]) }

  /// The name of an element of this array.
  func appending(index: Int) -> FieldName { FieldName(joining: [text, "(\(index))"]) }

  /// The name's parts in order, without indices at the end: a field with one value may be written `primary[0]`.
  var parts: [Part] {
    var parts = Self.parts(text)
    while case .index? = parts.last { parts.removeLast() }
    return parts
  }

  /// The name for messages.
  var shown: String {
    let name = Array(text.utf8.prefix(Limits.nameBytes))
    return TextBuffer.string {
      MessageText.append(name.span, limit: .max - Limits.nameBytes, to: &$0)
      if isCut { $0.append("...") }
    }
  }

  private static func parts(_ name: String) -> [Part] {
    name.utf8.split { ".()[]".utf8.contains($0) }.map { piece in
      let word = String(Substring(piece))
      let isIndex = piece.count <= 6 && piece.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return isIndex ? .index(Int(word) ?? 0) : .name(word)
    }
  }
}
