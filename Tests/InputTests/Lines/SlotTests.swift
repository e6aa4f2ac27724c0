import Records
import TestSupport
import Testing

@testable import Input

@Suite("Fields are found in their slots, however their names are spelled")
struct SlotTests {
  /// A name with all or some of its characters escaped.
  static func escaped(_ name: String, every step: Int) -> String {
    name.utf8.enumerated().map { place, byte in
      let digits = String(byte, radix: 16, uppercase: place % 2 == 0)
      return place % step == 0 ? "\\u00" + digits : String(UnicodeScalar(byte))
    }.joined()
  }

  static let topNames = ScannedLine.fields.map { $0.definition.name.description }

  @Test("a record's own fields, escaped or not", arguments: ScannedLine.fields, [1, 2, 3, 100])
  func recordFields(field: RecordField, step: Int) {
    let plain = field.definition.name.description
    let name = step == 100 ? plain : Self.escaped(plain, every: step)
    let line = ScannedLine(#"{"other":1,"\#(name)" : 5}"#)
    #expect(line.form == .object)
    #expect(line.kinds[field] == .number)
    #expect(line.values[field] == Array("5".utf8))
    #expect(line.kinds.values.filter { $0 != .absent }.count == 1)
    #expect(line.unknown == [Array("other".utf8)])
    // The same name spelled differently: twice, null or not.
    #expect(ScannedLine(#"{"\#(name)":null,"\#(plain)":null}"#).hasDuplicateField)
  }

  @Test("names one byte off are unknown", arguments: topNames)
  func nearMisses(name: String) {
    let bytes = Array(name.utf8)
    var others = [bytes + [0x78], Array(bytes.dropLast()), [0x78] + bytes, bytes + bytes, bytes + [0x20]]
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 0x20
      others.append(other)
      other[place] = UInt8(ascii: "_")
      others.append(other)
    }
    for other in others {
      let line = ScannedLine(Array("{\"".utf8) + other + Array("\":1}".utf8))
      #expect(line.kinds.values.allSatisfy { $0 == .absent })
      #expect(line.unknown == [other])
    }
  }

  static let values: [(text: String, kind: JSONKind, value: String)] = [
    ("null", JSONKind.null, "null"), ("true", .yes, "true"), ("false", .no, "false"), ("-1.5e3", .number, "-1.5e3"),
    (#""é\n""#, .string, "é\n"),
    (#""""#, .string, ""), ("[1, [2]]", .array, "[1, [2]]"), (#"{"a":{}}"#, .object, #"{"a":{}}"#),
    ("[]", .array, "[]"),
  ]

  @Test("every kind of value", arguments: values)
  func kinds(text: String, kind: JSONKind, value: String) {
    for line in [#"{"memo":\#(text)}"#, "{ \"memo\" \t:  \(text) \r,\"x\":1 } \r"] {
      let scanned = ScannedLine(line)
      #expect(scanned.kinds[.memo] == kind)
      #expect(scanned.values[.memo] == Array(value.utf8))
    }
  }

  @Test("the first of two fields with a name is kept, and only duplicates of known fields are reported")
  func duplicates() {
    let line = ScannedLine(#"{"memo":1,"memo":2}"#)
    #expect(line.values[.memo] == Array("1".utf8))
    #expect(line.hasDuplicateField)
    let ours = [
      #"{"country":1,"country":1}"#, #"{"subTotal":1,"subTotal":1}"#, #"{"batchId":1,"batchId":1}"#,
      #"{"receiverPaymentDetails":[{"isPrimary":1,"isPrimary":1}]}"#, #"{"invoiceData":{"totalTax":1,"totalTax":1}}"#,
      #"{"receiverPaymentDetails":[{"invoiceData":{"invoiceItems":[{"name":1,"name":1}]}}]}"#,
    ]
    for line in ours { #expect(ScannedLine(line).hasDuplicateField, "\(line)") }
    let others = [
      #"{"x":1,"x":1}"#, #"{"isPrimary":1,"isPrimary":1}"#, #"{"subtotal":1,"subtotal":1}"#,
      #"{"x":{"memo":1,"memo":1}}"#,
      #"{"receiverPaymentDetails":[{"subTotal":1,"subTotal":1}]}"#,
      #"{"receiverPaymentDetails":{"recipient":1,"recipient":1}}"#,
      #"{"receiverPaymentDetails":[[{"recipient":1,"recipient":1}]]}"#,
      #"{"invoiceData":[{"totalTax":1,"totalTax":1}]}"#,
      #"{"totals":{"USD":1,"USD":1}}"#, #"{"memo":{"memo":1},"Memo":1}"#, #"{"name":1,"name":1}"#,
    ]
    for line in others { #expect(!ScannedLine(line).hasDuplicateField, "\(line)") }
  }

  @Test("receivers, items and other elements")
  func rows() {
    let text =
      #"{"recipient":"top","receiverPaymentDetails":[{"recipient":"a"},7,{"x":1,"invoiceData":{"totalTax":2,"#
      + #""invoiceItems":[null,{"name":"n","y":0},"s",{"name":"m"}]}},[],{"invoiceData":{"invoiceItems":[]}}]}"#
    let memory = LineMemory(Array(text.utf8))
    var scanner = RecordScanner()
    #expect(scanner.scan(memory.line, .inPlace) == .object)
    let counts = (scanner.rowCount, scanner.itemCount, scanner.hasStrayReceivers)
    #expect(counts == (4, 2, true))
    let indices = (1..<4).map { scanner.receiverIndex(row: $0) }
    #expect(indices == [0, 2, 4])
    let recipients = (0..<4).map {
      ScannedLine.bytes(scanner.receiverField(.recipient, row: $0), in: memory)
    }
    #expect(recipients == [Array("top".utf8), Array("a".utf8), [], []])
    let items = [scanner.itemRows(row: 1), scanner.itemRows(row: 2), scanner.itemRows(row: 3)]
    #expect(items[0].isEmpty && items[1] == 0..<2 && items[2].isEmpty)
    let places = items[1].map { scanner.itemIndex($0) }
    #expect(places == [1, 3])
    let strays = scanner.strays.map { "\($0.row) \($0.index) \($0.slice.kind)" }
    #expect(strays == ["-1 1 number", "2 0 null", "2 2 string", "-1 3 array"])
    let strayItems = scanner.strayItems(row: 2).map { scanner.strays[$0].index }
    #expect(strayItems == [0, 2])
    let unknown = scanner.unknownFields.map(\.place)
    #expect(unknown == [.receiver(row: 2), .item(0, row: 2)])
  }

  @Test("a scanner forgets the previous line, however wide it was")
  func forgets() {
    let wide = Array(repeating: #"{"recipient":"a","invoiceData":{"invoiceItems":[{"name":"n"},{},{}]}}"#, count: 3000)
    let first = LineMemory(Array(#"{"memo":1,"receiverPaymentDetails":[\#(wide.joined(separator: ","))]}"#.utf8))
    let second = LineMemory(Array(#"{"memo":1,"memo":1,"x":1,"receiverPaymentDetails":[1]}"#.utf8))
    let third = LineMemory(Array(#"{"receiverPaymentDetails":[{}]}"#.utf8))
    var scanner = RecordScanner()
    for _ in 0..<2 {
      #expect(scanner.scan(first.line, .inPlace) == .object)
      let counts = [scanner.rowCount, scanner.itemCount]
      #expect(counts == [3001, 9000])
      let last = ScannedLine.bytes(scanner.receiverField(.recipient, row: 3000), in: first)
      #expect(last == [UInt8(ascii: "a")])
      #expect(scanner.scan(second.line, .inPlace) == .object)
      #expect(scanner.scan(third.line, .inPlace) == .object)
      let left = [scanner.rowCount, scanner.itemCount, scanner.strays.count, scanner.unknownFields.count]
      #expect(left == [2, 0, 0, 0])
      let flags = [scanner.hasDuplicateField, scanner.hasStrayReceivers]
      #expect(flags == [false, false])
      let kinds = [scanner.field(.memo).kind, scanner.receiverField(.recipient, row: 1).kind]
      #expect(kinds == [.absent, .absent])
    }
  }
}
