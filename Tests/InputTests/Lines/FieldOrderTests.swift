import Records
import TestSupport
import Testing

@testable import Input

@Suite("The order of the fields of earlier records does not matter")
struct FieldOrderTests {
  /// Fields of a record, of its receivers and their items in a random order, some left out, misspelt or twice, with space
  /// around some of them.
  private static func object(
    _ names: [String], _ random: inout SeededGenerator, _ value: (String, inout SeededGenerator) -> String
  ) -> String {
    var fields: [String] = []
    for name in names.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
      let written = Int.random(in: 0..<12, using: &random) == 0 ? name + "s" : name
      let space = Int.random(in: 0..<6, using: &random) == 0 ? " " : ""
      fields.append("\"\(written)\"\(space):\(space)\(value(name, &random))\(space)")
      if Int.random(in: 0..<20, using: &random) == 0 { fields.append(fields.last!) }
    }
    return "{" + fields.joined(separator: ",") + "}"
  }

  private static func simple(_ name: String, _ random: inout SeededGenerator) -> String {
    ["\"a\"", "\"\(name)\"", "12.50", "-3", "true", "null", "\"\\u0041\"", "[1]"].randomElement(using: &random)!
  }

  private static func record(_ random: inout SeededGenerator) -> String {
    func names(_ level: FieldLevel) -> [String] { level.definitions.map(\.name.description) }
    return object(names(.record), &random) { name, random in
      guard name == "receiverPaymentDetails" else { return simple(name, &random) }
      let receivers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        object(names(.receiver), &random) { name, random in
          guard name == "invoiceData" else { return simple(name, &random) }
          return object(names(.invoice), &random) { name, random in
            guard name == "invoiceItems" else { return simple(name, &random) }
            let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in object(names(.item), &random, simple) }
            return "[" + items.joined(separator: ",") + "]"
          }
        }
      }
      return "[" + receivers.joined(separator: ", ") + "]"
    }
  }

  /// What a scanner finds in a record: its form, whether a field is repeated, and the kind, place and length of all slots.
  private static func found(_ line: String, by scanner: inout RecordScanner) -> [Int] {
    let memory = LineMemory(Array(line.utf8), alignment: 0, ending: [0x0A])
    var found = [Int(scanner.scan(memory.line, .inPlace).rawValue), scanner.hasDuplicateField ? 1 : 0]
    func take(_ slice: JSONSlice) { found += [Int(slice.kind.rawValue), Int(slice.start), slice.length] }
    for field in RecordField.allCases where field.singleShapeField == nil { take(scanner.field(field)) }
    for row in 0..<scanner.rowCount {
      ReceiverField.allCases.forEach { take(scanner.receiverField($0, row: row)) }
      InvoiceField.allCases.forEach { take(scanner.invoiceField($0, row: row)) }
    }
    for item in 0..<scanner.itemCount { ItemField.allCases.forEach { take(scanner.itemField($0, item: item)) } }
    return found + scanner.unknownFields.map { Int($0.name.start) }
  }

  @Test("a scanner that read other records finds what a new one finds")
  func agrees() {
    var random = SeededGenerator()
    var used = RecordScanner()
    var (objects, repetitions) = (0, 0)
    let count = rounds(1000)
    for _ in count {
      let line = Self.record(&random)
      var fresh = RecordScanner()
      let expected = Self.found(line, by: &fresh)
      let isSame = Self.found(line, by: &used) == expected
      #expect(isSame, "\(line); \(random.reproduction)")
      objects += expected[0] == Int(RecordForm.object.rawValue) ? 1 : 0
      repetitions += expected[1]
    }
    #expect(objects == count.count && repetitions > count.count / 10, "\(random.reproduction)")
  }
}
