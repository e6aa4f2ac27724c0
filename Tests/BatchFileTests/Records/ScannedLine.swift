import TestSupport

@testable import BatchFile

/// What the record scanner made of one line.
struct ScannedLine {
  var form: RecordForm
  /// The kinds of the record's own fields, by slot.
  var kinds: [JSONKind] = []
  /// The value of each field, by slot: as written, strings unescaped.
  var values: [[UInt8]] = []
  var unknown: [[UInt8]] = []
  var hasDuplicateField = false

  init(_ line: [UInt8], alignment: Int = 0, ending: [UInt8] = [0x0A]) {
    let memory = LineMemory(line, alignment: alignment, ending: ending)
    var scanner = RecordScanner()
    form = scanner.scan(memory.bytes, count: memory.count)
    guard form == .object else { return }
    for slot in 0..<15 {
      kinds.append(scanner.field(slot).kind)
      values.append(Self.bytes(scanner.field(slot), in: memory))
    }
    unknown = scanner.unknownFields.map { Self.bytes($0.name, in: memory) }
    hasDuplicateField = scanner.hasDuplicateField
  }

  init(_ line: String) { self.init(Array(line.utf8)) }

  /// The bytes of a slice; of a string, its characters.
  static func bytes(_ slice: JSONSlice, in line: borrowing LineMemory) -> [UInt8] {
    let written = Array(UnsafeBufferPointer(start: line.bytes + Int(slice.start), count: slice.length))
    return slice.isEscaped ? unescaped(written) : written
  }

  /// A string's characters.
  static func unescaped(_ written: [UInt8]) -> [UInt8] {
    guard !written.isEmpty else { return [] }
    return [UInt8](unsafeUninitializedCapacity: written.count) { characters, count in
      count = UTF8Text.unescape(written, count: written.count, into: characters.baseAddress!)
    }
  }
}
