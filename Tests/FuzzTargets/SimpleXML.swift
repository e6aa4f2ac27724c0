/// Reads XML that another parser has found to be well-formed, without a DOCTYPE and in an encoding that has ASCII.
enum SimpleXML {
  static let spaces: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]

  /// An element by its local name, with the text directly in it.
  final class Element {
    let name: String
    let attributes: [String: String]
    private(set) unowned var parent: Element?
    fileprivate(set) var children: [Element] = []
    fileprivate var text: [UInt8] = []

    fileprivate init(_ name: String, _ attributes: [String: String], in parent: Element?) {
      (self.name, self.attributes, self.parent) = (name, attributes, parent)
    }

    var ancestors: [Element] { parent.map { [$0] + $0.ancestors } ?? [] }
    /// The element and everything in it.
    var descendants: [Element] { [self] + children.flatMap(\.descendants) }

    var trimmed: String {
      var text = text.drop(while: spaces.contains)
      while let last = text.last, spaces.contains(last) { text = text.dropLast() }
      return String(decoding: text, as: UTF8.self)
    }

    var words: [String] { text.split(whereSeparator: spaces.contains).map { String(decoding: $0, as: UTF8.self) } }
    var isNotGiven: Bool { ["", "NOTPROVIDED", "NONREF"].contains(trimmed.uppercased()) }
  }

  /// All elements of all documents, in their order; nil if the text is not understood.
  static func elements(_ bytes: [UInt8]) -> [Element]? {
    var all: [Element] = []
    var open: Element?
    var rest = bytes[...]
    while let byte = rest.first {
      if byte != UInt8(ascii: "<") {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        guard let text = expanded(rest[..<end]) else { return nil }
        open?.text += text
        rest = rest[end...]
      } else if let inside = take("<!--", "-->", &rest) ?? take("<?", "?>", &rest) {
        _ = inside
      } else if let text = take("<![CDATA[", "]]>", &rest) {
        open?.text += text
      } else if take("</", ">", &rest) != nil {
        guard let closed = open else { return nil }
        open = closed.parent
      } else {
        guard let tag = Tag(&rest) else { return nil }
        let element = Element(tag.name, tag.attributes, in: open)
        open?.children.append(element)
        all.append(element)
        if !tag.isClosed { open = element }
      }
    }
    return open == nil ? all : nil
  }

  /// What is between two marks; nil if it does not begin here, or does not end.
  private static func take(_ start: String, _ end: String, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.starts(with: start.utf8) else { return nil }
    let inside = rest.dropFirst(start.utf8.count)
    let length = end.utf8.count
    guard inside.count >= length,
      let place = (inside.startIndex...(inside.endIndex - length)).first(where: { inside[$0...].starts(with: end.utf8) }
      )
    else { return nil }
    rest = inside[(place + length)...]
    return inside[..<place]
  }

  /// A text with characters in place of references to them.
  fileprivate static func expanded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var (expanded, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
    while let place = rest.firstIndex(of: UInt8(ascii: "&")) {
      expanded += rest[..<place]
      guard let end = rest[place...].firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: rest[(place + 1)..<end], as: UTF8.self)
      let names: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
      guard let character = names[name] ?? number.flatMap(Unicode.Scalar.init) else { return nil }
      expanded += Array(UTF8.encode(character)!)
      rest = rest[(end + 1)...]
    }
    return expanded + rest
  }

  private struct Tag {
    let name: String
    private(set) var attributes: [String: String] = [:]
    private(set) var isClosed = false

    init?(_ rest: inout ArraySlice<UInt8>) {
      let ends = spaces.union("/>=".utf8)
      var tag = rest.dropFirst()
      func word() -> String {
        let word = tag.prefix { !ends.contains($0) }
        tag = tag.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self)
      }
      name = String(word().split(separator: ":", omittingEmptySubsequences: false).last!)
      while true {
        tag = tag.drop(while: spaces.contains)
        switch tag.first {
        case UInt8(ascii: "/"):
          isClosed = true
          tag = tag.dropFirst()
        case UInt8(ascii: ">"):
          rest = tag.dropFirst()
          return
        case nil: return nil
        default:
          let name = word()
          tag = tag.drop { spaces.contains($0) || $0 == UInt8(ascii: "=") }
          guard !name.isEmpty, let quote = tag.first, let end = tag.dropFirst().firstIndex(of: quote),
            let value = expanded(tag.dropFirst()[..<end])
          else { return nil }
          attributes[name] = String(decoding: value, as: UTF8.self)
          tag = tag[(end + 1)...]
        }
      }
    }
  }
}
