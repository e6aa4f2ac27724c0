import Text

/// The name of a request's field: names and indices, `receiverList.receiver(0).email`.
///
/// Indices stand in round or square brackets, as PayPal's guide and its SDKs write them; a name may stand in square
/// brackets, too, as some programs encode nested arrays.
struct FieldName: Equatable {
  /// The name with indices in round brackets, with no more than a byte above `Limits.nameBytes`.
  let text: String
  /// Whether the name was longer.
  var isCut: Bool { text.utf8.count > Limits.nameBytes }

  enum Part: Equatable {
    case name(String)
    case index(Int)
  }

  /// Takes a name as a request has it.
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

  /// The empty name, of a request as a whole.
  static let root = FieldName("")

  /// The name of a JSON field within what this one names.
  func appending(_ name: String) -> FieldName { FieldName(joining: [text, ".", FieldName(name).text]) }

  /// The name of an element of the array that this one names.
  func appending(index: Int) -> FieldName { FieldName(joining: [text, "(\(index))"]) }

  /// The name's parts in order; indices behind a field that has but one value, as in `primary[0]`, are left out.
  var parts: [Part] {
    var parts = Self.parts(text)
    while case .index? = parts.last { parts.removeLast() }
    return parts
  }

  /// The name for messages.
  var shown: String {
    let name = Array(text.utf8.prefix(Limits.nameBytes))
    return TextBuffer.string {
      MessageText.append(name, count: name.count, limit: .max - Limits.nameBytes, to: &$0)
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
