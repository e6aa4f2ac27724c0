import Foundation
import Input
import JSON
import Rules

/// One file of the corpus: a record, and all findings for it.
///
/// | key | value |
/// |---|---|
/// | `why` | what the case shows |
/// | `record` | the record; its numbers, names and their order stay as written |
/// | `line` | instead of `record`: the line's text, if its exact spelling matters |
/// | `bytes` | instead of `record`: the line in hexadecimal digits, if it is not UTF-8 |
/// | `paddedTo` | the length up to which spaces are added to the line |
/// | `strictItems`, `strictTexts`, `unknownFields` | these rules; the defaults if absent |
/// | `repeatsKey`, `earlierRun` | why its key is refused; it is not refused without them |
/// | `fees` | a fee schedule instead of the built-in one |
/// | `taxes` | a table of tax rates |
/// | `before` | records that were settled before it, for claims on their agreement or payment |
/// | `overWindow` | whether the payment that it refunds was settled too long ago |
/// | `control` | currency and control amount, or empty |
/// | `errors` | in order: code, field, message |
/// | `notices` | sorted: code, field, message |
struct CorpusCase: CustomStringConvertible, Sendable {
  /// The folder of the corpus.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")

  /// The reason or notice of the case's folder.
  let code: String
  let name: String
  let line: [UInt8]
  let strictItems: Bool
  let strictTexts: Bool
  let unknownFields: UnknownFields
  let repeatsKey: Bool
  let earlierRun: Int
  let fees: FeeSchedule?
  let taxes: TaxTable?
  let before: [[UInt8]]
  let overWindow: Bool
  let control: String
  let errors: [[String]]
  let notices: [[String]]

  var description: String { "\(code)/\(name)" }

  /// All cases, by folder and name.
  static let all: [CorpusCase] = {
    do {
      return try codes().flatMap { code in
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(code).path).sorted()
          .map { try CorpusCase(code: code, name: $0) }
      }
    } catch {
      preconditionFailure("the corpus cannot be read: \(error)")
    }
  }()

  /// The folders of the corpus.
  static func codes() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  struct Broken: Error {
    let reason: String
  }

  init(code: String, name: String) throws {
    let place = Self.folder.appendingPathComponent(code).appendingPathComponent(name)
    guard case .object(let fields) = try JSONTree(parsing: [UInt8](Data(contentsOf: place))) else {
      throw Broken(reason: "\(place.path) is no object")
    }
    func field(_ name: String) -> JSONTree? { fields.first { $0.name == Array(name.utf8) }?.value }
    let known = [
      "why", "record", "line", "bytes", "paddedTo", "strictItems", "strictTexts", "unknownFields", "repeatsKey",
      "earlierRun", "fees", "taxes", "before", "overWindow", "control", "errors", "notices",
    ]
    for field in fields where !known.contains(String(decoding: field.name, as: UTF8.self)) {
      throw Broken(reason: "\(place.path) has an unknown key")
    }
    self.code = code
    self.name = name
    strictItems = field("strictItems")?.flag ?? false
    strictTexts = field("strictTexts")?.flag ?? false
    unknownFields = field("unknownFields")?.string.flatMap(UnknownFields.init) ?? .suspect
    repeatsKey = field("repeatsKey")?.flag ?? false
    earlierRun = field("earlierRun")?.number ?? 0
    fees = try field("fees").map { try FeeSchedule(json: $0.compact) }
    taxes = try field("taxes").map { try TaxTable(json: $0.compact) }
    if case .array(let records)? = field("before") { before = records.map(\.compact) } else { before = [] }
    overWindow = field("overWindow")?.flag ?? false
    control = field("control")?.text ?? ""
    errors = field("errors")?.table ?? []
    notices = field("notices")?.table ?? []
    var line = field("record")?.compact ?? Array((field("line")?.text ?? "").utf8)
    if let digits = field("bytes")?.text { line = try Self.bytes(hexadecimal: digits) }
    if let length = field("paddedTo")?.number {
      line += Array(repeating: UInt8(ascii: " "), count: length - line.count)
    }
    self.line = line
  }

  private static func bytes(hexadecimal digits: String) throws -> [UInt8] {
    try digits.split(separator: " ").map {
      guard let byte = UInt8($0, radix: 16) else { throw Broken(reason: "\($0) is no byte") }
      return byte
    }
  }
}

extension JSONTree {
  fileprivate var flag: Bool? { if case .boolean(let value) = self { value } else { nil } }
  fileprivate var text: String? {
    if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
  fileprivate var number: Int? {
    if case .number(let digits) = self { Int(String(decoding: digits, as: UTF8.self)) } else { nil }
  }
  fileprivate var table: [[String]]? {
    guard case .array(let rows) = self else { return nil }
    return rows.map { row in
      guard case .array(let cells) = row else { return [] }
      return cells.map { $0.text ?? "" }
    }
  }

  /// The value as text without spaces.
  var compact: [UInt8] {
    switch self {
    case .null: return Array("null".utf8)
    case .boolean(let value): return Array("\(value)".utf8)
    case .number(let digits): return digits
    case .string(let characters): return Self.quoted(characters)
    case .array(let elements):
      return Array("[".utf8) + Array(elements.map(\.compact).joined(separator: [0x2C])) + Array("]".utf8)
    case .object(let fields):
      let members = fields.map { Self.quoted($0.name) + [0x3A] + $0.value.compact }
      return Array("{".utf8) + Array(members.joined(separator: [0x2C])) + Array("}".utf8)
    }
  }

  private static func quoted(_ characters: [UInt8]) -> [UInt8] {
    [0x22]
      + characters.flatMap { byte -> [UInt8] in
        switch byte {
        case 0x22, 0x5C: [0x5C, byte]
        case 0..<0x20: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        default: [byte]
        }
      } + [0x22]
  }
}
