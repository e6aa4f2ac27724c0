import Records
import TestSupport

@testable import Input
import Text

/// The record scanner's result for one line.
struct ScannedLine {
  var form: RecordForm
  /// The kinds of the record's own fields.
  var kinds: [RecordField: JSONKind] = [:]
  /// The value of each field: as written, strings unescaped.
  var values: [RecordField: [UInt8]] = [:]
  var unknown: [[UInt8]] = []
  var hasDuplicateField = false

  /// The record's own fields, without those of the single shape.
  static let fields = RecordField.allCases.filter { $0.singleShapeField == nil }

  init(_ line: [UInt8], alignment: Int = 0, ending: [UInt8] = [0x0A]) {
    let memory = LineMemory(line, alignment: alignment, ending: ending)
    var scanner = RecordScanner()
    form = scanner.scan(memory.line, .inPlace)
    guard form == .object else { return }
    for field in Self.fields {
      kinds[field] = scanner.field(field).kind
      values[field] = Self.bytes(scanner.field(field), in: memory)
    }
    unknown = scanner.unknownFields.map { Self.bytes($0.name, in: memory) }
    hasDuplicateField = scanner.hasDuplicateField
  }

  init(_ line: String) { self.init(Array(line.utf8)) }

  /// The bytes of a slice; for a string, its characters.
  static func bytes(_ slice: JSONSlice, in line: borrowing LineMemory) -> [UInt8] {
    let start = Int(slice.start)
    let written = [UInt8](line.line.extracting(start..<start + slice.length))
    return slice.isEscaped ? unescaped(written) : written
  }

  /// A string's characters.
  static func unescaped(_ written: [UInt8]) -> [UInt8] {
    UTF8Text.unescaped(written.span)
  }
}
