import BatchFile
import Settlement

/// The name of a request's field: names and indices, `receiverList.receiver(0).email`.
///
/// Indices stand in round or square brackets, as PayPal's guide and its SDKs write them; a name may stand in square
/// brackets, too, as some programs encode nested arrays.
struct FieldName: Equatable {
  /// The name with indices in round brackets, at most `Limits.nameBytes` bytes.
  let text: [UInt8]
  /// Whether the name was longer.
  let isCut: Bool

  /// A part of a name.
  enum Part: Equatable {
    case name(String)
    case index(Int)
  }

  /// Takes a name as a request has it.
  init(_ bytes: some Collection<UInt8>) {
    var text: [UInt8] = []
    for part in Self.parts(bytes.prefix(Limits.nameBytes)) { Self.append(part, to: &text) }
    self.init(text: text, isCut: bytes.count > Limits.nameBytes)
  }

  private init(text: [UInt8], isCut: Bool) {
    self.isCut = isCut || text.count > Limits.nameBytes
    self.text = Array(text.prefix(Limits.nameBytes))
  }

  /// The empty name, of a request as a whole.
  static let root = FieldName(text: [], isCut: false)

  /// The name of a JSON field within what this one names.
  func appending(name: [UInt8]) -> FieldName {
    let inner = FieldName(name)
    return FieldName(text: text + (text.isEmpty ? [] : [UInt8(ascii: ".")]) + inner.text, isCut: isCut || inner.isCut)
  }

  /// The name of an element of the array that this one names.
  func appending(index: Int) -> FieldName { FieldName(text: text + Array("(\(index))".utf8), isCut: isCut) }

  /// The name's parts in order; indices behind a field that has but one value, as in `primary[0]`, are left out.
  var parts: [Part] {
    var parts = Self.parts(text)
    while case .index? = parts.last { parts.removeLast() }
    return parts
  }

  /// The name for messages.
  var shown: String {
    var shown = TextBuffer()
    text.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress {
        MessageText.append(start, count: bytes.count, limit: Limits.nameBytes, to: &shown)
      }
    }
    return shown.string + (isCut ? "..." : "")
  }

  private static func parts(_ bytes: some Collection<UInt8>) -> [Part] {
    bytes.split { ".()[]".utf8.contains($0) }.map { piece in
      let word = String(decoding: piece, as: UTF8.self)
      let isIndex = piece.count <= 6 && piece.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      return isIndex ? .index(Int(word) ?? 0) : .name(word)
    }
  }

  private static func append(_ part: Part, to text: inout [UInt8]) {
    switch part {
    case .name(let name): text += (text.isEmpty ? "" : ".").utf8 + Array(name.utf8)
    case .index(let index): text += Array("(\(index))".utf8)
    }
  }
}
