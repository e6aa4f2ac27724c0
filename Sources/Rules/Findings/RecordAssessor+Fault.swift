import Glibc
import JSON
import Records
import Text

/// A second look at a line that is no JSON or has a field twice: the scanner only tells that it is so.
extension RecordAssessor {
  /// Appends where the line stops being one JSON value, and what was expected there.
  func writeFault(to text: inout TextBuffer) {
    let bytes = lineBytes
    guard let fault = JSONReader.fault(in: bytes) else { return text.append("line is not one JSON value") }
    let isAtEnd = fault.offset >= bytes.count
    text.append(isAtEnd ? "the line ends at byte " : "byte ")
    text.append(number: fault.offset)
    if !isAtEnd {
      text.append(" of the line is ")
      let found = line + fault.offset
      if ASCIIClass.of(found.pointee) & ASCIIClass.digit != 0 {
        // It may be one of a card's code.
        text.append("a digit")
      } else {
        MessageText.append(
          found, count: max(1, UTF8Text.sequenceLength(found, count: bytes.count - fault.offset)), to: &text)
      }
    }
    text.append("; expected \(fault.expected)")
    if let hint = Self.hint(bytes, fault.offset) { text.append("; ", hint) }
  }

  /// Appends which field stands twice.
  func writeDuplicate(to text: inout TextBuffer) {
    let tree = try? JSONTree(parsing: lineBytes)
    text.append(tree.flatMap { Self.duplicate(in: $0, .record) } ?? "a field", " stands twice in one object")
  }

  /// The first known field that stands twice in an object of a level, or in one within it.
  private static func duplicate(in object: JSONTree, _ level: FieldLevel) -> StaticString? {
    guard case .object(let fields) = object else { return nil }
    let definitions = level.definitions
    let names = definitions.map(\.name)
    var seen: Set<Int> = []
    for (name, value) in fields {
      let known = name.withUnsafeBufferPointer { name in
        name.baseAddress.flatMap { start in names.firstIndex { $0.matches(start, count: name.count) } }
      }
      guard let known else { continue }
      let field = definitions[known]
      guard seen.insert(known).inserted else { return field.name }
      let inner: FieldLevel? =
        switch (field.shape, value) {
        case (.object(let level), .object), (.objectOrObjects(let level, _), .object): level
        case (_, .array): field.elementLevel
        default: nil
        }
      guard let inner else { continue }
      for object in value.elements ?? [value] {
        if let name = duplicate(in: object, inner) { return name }
      }
    }
    return nil
  }

  /// The line. A line feed, alone or after a carriage return, follows every line.
  private var lineBytes: [UInt8] {
    let end = memchr(line, 0x0A, .max).map { UnsafeRawPointer($0) - UnsafeRawPointer(line) } ?? 0
    return Array(UnsafeBufferPointer(start: line, count: end > 0 && line[end - 1] == 0x0D ? end - 1 : end))
  }

  /// The usual reason of what stands there; nil if there is none.
  private static func hint(_ line: [UInt8], _ offset: Int) -> StaticString? {
    func isInk(_ byte: UInt8) -> Bool { byte > 0x20 }
    if offset < line.count {
      switch line[offset] {
      case UInt8(ascii: "'"): return "JSON takes double quotes"
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if line[..<offset].last(where: isInk) == UInt8(ascii: ",") { return "JSON takes no comma before it" }
      case 0xEF where line[offset...].starts(with: [0xEF, 0xBB, 0xBF]):
        return "a byte order mark may stand at the start of a file alone"
      default: break
      }
    }
    let isPart = [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(line.first(where: isInk))
    return isPart || offset >= line.count ? "a record must stand on one line" : nil
  }
}
