import Foundation
import TestSupport
import Testing

/// Card numbers planted everywhere in a batch: no command prints one of them whole.
@Suite("Secrets")
struct SecretTests {
  /// The planted number, as people, programs and attackers write it. Each is the content of a JSON string.
  static let spellings = [
    "4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111_1111_1111_1111",
    "4111\u{A0}1111\u{A0}1111\u{A0}1111", "4111\u{2013}1111\u{2013}1111\u{2013}1111",
    "4111\u{200B}1111\u{200B}1111\u{200B}1111", "\\u0034111111111111111",
    "\\u0034\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031\\u0031",
    "4111\\n1111\\n1111\\n1111", "4111\\u00001111\\u00001111\\u00001111", "card 4111111111111111!",
    "4111111111111111\u{301}", "+4111111111111111", "4111111111111111@",
    // At the end of the part of a text that a message shows, and beyond what a field accepts.
    String(repeating: ":", count: 48) + "4111111111111111", String(repeating: ":", count: 61) + "4111 1111 1111 1111",
    String(repeating: ":", count: 1100) + "4111111111111111", "4111111111111111" + String(repeating: "x", count: 1100),
  ]

  /// Values that are not strings.
  static let raw = [
    "4111111111111111.001", "-4111111111111111", "4111111111111111e99", #"{"4111111111111111":"4111111111111111"}"#,
    #"["\u0034111111111111111",4111111111111111]"#, #"[[4111111111111111]]"#,
  ]

  /// Fields, by their place in the record.
  static let topFields = [
    "payKey", "status", "createdAt", "paymentCurrency", "feePayer", "sender", "senderCountry", "fundingSource", "memo",
    "ipnUrl", "recipient", "subTotal", "country", "paymentType", "paymentSubType", "invoiceData", "description",
    "customId", "merchantName", "receiverPaymentDetails", "type", "batchId", "recordCount", "totals", "unknown",
  ]
  static let receiverFields = [
    "recipient", "subtotal", "isPrimary", "country", "paymentType", "paymentSubType", "invoiceData", "description",
    "customId", "merchantName", "unknown",
  ]
  static let itemFields = ["name", "itemId", "itemPrice", "itemCount", "totalPrice", "unknown"]

  /// A record for each field and value, and for each field's name; all with one pay key, if they have any.
  static func records() -> [String] {
    let values = spellings.map { "\"\($0)\"" } + raw
    var records: [String] = []
    for value in values {
      for field in topFields where !isValid(value, field) { records.append(single([(field, value)])) }
      for field in receiverFields where !isValid(value, field) { records.append(advanced(receiver: [(field, value)])) }
      for field in ["totalTax", "totalShipping", "invoiceItems", "unknown"] where !isValid(value, field) {
        records.append(
          single([("invoiceData", object([("totalTax", "0"), ("totalShipping", "0")], [(field, value)]))]))
      }
      for field in itemFields where !isValid(value, field) {
        records.append(single([("invoiceData", invoice(item: [(field, value)]))]))
      }
      records.append(value)
      records.append("{\"memo\":\(value)")
    }
    for name in spellings {
      records.append(single([(name, "1")]))
      records.append(advanced(receiver: [(name, "1")]))
      records.append(single([("invoiceData", invoice(item: [(name, "1")]))]))
      records.append(single([("memo", "1"), ("memo", "\"\(name)\"")]))
    }
    return records
  }

  /// Whether a value is a valid pay key, amount or decimal in its field, which `identifiers` shows unchanged.
  private static func isValid(_ value: String, _ field: String) -> Bool {
    let isPlain =
      ["\"4111111111111111\"", "\"\\u0034111111111111111\""].contains(value) || value.contains("\\u0031\\u0031")
    switch field {
    case "payKey":
      let isKey = value.count <= 66 && value.wholeMatch(of: /"[A-Za-z0-9._-]+"/) != nil
      return isPlain || isKey
    case "itemPrice", "itemCount": return isPlain || value == "4111111111111111.001"
    case "subTotal", "subtotal", "totalTax", "totalShipping", "totalPrice": return isPlain
    default: return false
    }
  }

  private static func object(_ fields: [(String, String)], _ changes: [(String, String)]) -> String {
    let kept = fields.filter { field in !changes.contains { $0.0 == field.0 } }
    return "{" + (kept + changes).map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private static func single(_ changes: [(String, String)]) -> String {
    object([("payKey", "\"K\""), ("recipient", "\"a@b.example\""), ("subTotal", "\"1.00\"")], changes)
  }

  private static func advanced(receiver changes: [(String, String)], isPrimaryFirst: Bool = false) -> String {
    let first = object(
      [("recipient", "\"a@b.example\""), ("subtotal", "\"1.00\""), ("isPrimary", "\(isPrimaryFirst)")], [])
    let second = object([("recipient", "\"c@d.example\""), ("subtotal", "\"1.00\"")], changes)
    return object([("payKey", "\"K\"")], [("receiverPaymentDetails", "[\(first),\(second)]")])
  }

  private static func invoice(item changes: [(String, String)]) -> String {
    let item = object(
      [("name", "\"x\""), ("itemPrice", "\"1.00\""), ("itemCount", "1"), ("totalPrice", "\"1.00\"")], changes)
    return object([("totalTax", "0"), ("totalShipping", "0")], [("invoiceItems", "[\(item)]")])
  }

  @Test("no command, report, log line or metric shows a whole card number, whatever field contains it")
  func everyField() throws {
    let folder = try CommandFolder()
    let records = Self.records()
    // Also with separate pay keys: of repeated keys only the first can settle.
    let apart = records.enumerated().map { $1.replacingOccurrences(of: "\"K\"", with: "\"K-\($0)\"") }
    try folder.write("secrets.jsonl", (records + apart).joined(separator: "\n"))
    for arguments in [
      ["run", "secrets.jsonl", "--output", "out", "--metrics", "settle.prom", "--log-level", "debug"],
      ["run", "secrets.jsonl", "--output", "out", "--replace", "--log-format", "json", "--log-level", "debug"],
      ["run", "secrets.jsonl", "--output", "out", "--replace", "--strict-items", "--threads", "3"],
      ["validate", "secrets.jsonl", "--notices"],
      ["validate", "secrets.jsonl", "--notices", "--format", "jsonl", "--log-format", "json"],
      ["explain", "secrets.jsonl", "--pay-key", "K"], ["verify", "out", "--strict-items", "--batch", "secrets.jsonl"],
      ["verify", "out", "--batch", "good.jsonl"], ["verify", "out", "--batch", "good.jsonl", "--format", "jsonl"],
    ] {
      let (exitCode, said) = try folder.run(arguments)
      #expect(exitCode == (arguments.last == "secrets.jsonl" && arguments[0] == "verify" ? 0 : 1), "\(arguments)")
      Self.expectNoCardNumber(said, arguments.joined(separator: " "))
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("out").path) {
      Self.expectNoCardNumber(try Self.text("out/\(name)", in: folder), name)
    }
    Self.expectNoCardNumber(try Self.text("settle.prom", in: folder), "settle.prom")
    // The masked form is there, so the values reached the output.
    let exceptions = try Self.text("out/exceptions.csv", in: folder)
    #expect(exceptions.components(separatedBy: "************1111").count > 100)
  }

  @Test("nor do the results for settled payments: statements, journals, a page, the ledger and its history")
  func madeOfSettled() throws {
    let folder = try CommandFolder()
    let records = Self.records().enumerated().map { $1.replacingOccurrences(of: "\"K\"", with: "\"K-\($0)\"") }
    try folder.write("secrets.jsonl", records.joined(separator: "\n"))
    let day = ["--date", "2026-11-20"]
    let commands = [
      ["run", "secrets.jsonl", "--output", "out", "--ledger", "ledger"],
      ["run", "secrets.jsonl", "good.jsonl", "--output", "out2", "--ledger", "ledger"],
      ["history", "--ledger", "ledger"],
      ["report", "out", "--html", "page.html"],
      ["statement", "secrets.jsonl", "--all-accounts", "--format", "stl", "--output", "stl"] + day,
      ["statement", "secrets.jsonl", "--all-accounts", "--format", "csv", "--output", "csv"] + day,
    ]
    let journals = ["hledger", "ledger", "beancount"].map {
      ["journal", "secrets.jsonl", "--format", $0, "--output", "journal.\($0)"] + day
    }
    for arguments in commands + journals {
      let (exitCode, said) = try folder.run(arguments)
      #expect(exitCode == (["history", "report"].contains(arguments[0]) ? 0 : 1), "\(arguments)\n\(said)")
      Self.expectNoCardNumber(said, arguments.joined(separator: " "))
    }
    var texts = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() {
      guard !["secrets.jsonl", "ledger"].contains(name) else { continue }
      guard let bytes = try? Data(contentsOf: folder.url.appendingPathComponent(name)) else { continue }
      Self.expectNoCardNumber(String(decoding: bytes, as: UTF8.self), name)
      texts += 1
    }
    #expect(texts > 15)
    let ledger = try Data(contentsOf: folder.url.appendingPathComponent("ledger"))
    for spelling in Self.spellings where spelling.utf8.allSatisfy({ $0 < 128 && $0 != UInt8(ascii: "\\") }) {
      #expect(ledger.range(of: Data(spelling.utf8)) == nil)
    }
    // Outputs with texts of payments have the masked form, so the values reached them.
    for name in ["csv/1.csv", "page.html"] {
      #expect(try Self.text(name, in: folder).contains("************1111"), "\(name)")
    }
  }

  @Test("nor do messages about requests, whatever field has the number")
  func requests() throws {
    let folder = try CommandFolder()
    let fields = [
      "actionType", "currencyCode", "feesPayer", "senderEmail", "trackingId", "memo", "ipnNotificationUrl", "pin",
      "reverseAllParallelPaymentsOnError", "returnUrl", "requestEnvelope.errorLanguage", "preapprovalKey", "unknown",
      "receiverList.receiver(0).email", "receiverList.receiver(0).amount", "receiverList.receiver(0).primary",
      "receiverList.receiver(0).invoiceId", "receiverList.receiver(0).paymentType", "receiverList.receiver(0).unknown",
      "receiverList.receiver(0).phone.phoneNumber", "receiverList.receiver(4111111111111111).email",
    ]
    let whole =
      "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount=1.00"
    let spellings = [
      "4111111111111111", "4111-1111-1111-1111", "4111%091111%091111%091111", "card%3A+4111111111111111%21",
    ]
    let lines = fields.flatMap { field in
      spellings.map { value in
        (whole.split(separator: "&").filter { !$0.hasPrefix("\(field)=") } + ["\(field)=\(value)"]).joined(
          separator: "&")
      }
    }
    let names = ["4111111111111111", "receiverList.receiver(0).4111111111111111", "4111-1111-1111-1111%0A"]
    try folder.write("requests.txt", (lines + names.map { "\(whole)&\($0)=1" }).joined(separator: "\n"))
    for format in ["text", "json"] {
      let (exitCode, said) = try folder.run([
        "import", "requests.txt", "--format", "adaptive-nvp", "--output", "made.\(format)", "--skip-invalid",
        "--log-format", format,
      ])
      #expect(exitCode == 1)
      Self.expectNoCardNumber(said, format)
      #expect(said.contains("************1111"))
    }
  }

  @Test("nor do messages about a header or a trailer")
  func batchErrors() throws {
    var batches: [[UInt8]] = []
    for value in Self.spellings.map({ "\"\($0)\"" }) + Self.raw + ["4111111111111111"] {
      for line in [
        #"{"type":"header","batchId":\#(value)}"#, #"{"type":"header","createdAt":\#(value)}"#,
        #"{"type":"trailer","recordCount":\#(value),"totals":{}}"#,
        #"{"type":"trailer","recordCount":0,"totals":\#(value)}"#,
        #"{"type":"trailer","recordCount":0,"totals":{"USD":\#(value)}}"#,
        #"{"type":"trailer","recordCount":\#(value),"recordCount":\#(value),"totals":{}}"#,
      ] { batches.append(Array((line + "\n").utf8)) }
    }
    for name in Self.spellings {
      batches.append(Array("{\"type\":\"trailer\",\"recordCount\":0,\"totals\":{\"\(name)\":1}}\n".utf8))
      batches.append(Array("{\"type\":\"trailer\",\"recordCount\":0,\"totals\":{},\"\(name)\":1,\"\(name)\":1}\n".utf8))
    }
    let folder = try CommandFolder()
    var looked = 0
    var random = SeededGenerator()
    let drawn = batches.shuffled(using: &random).prefix(rounds(batches.count).count)
    for (number, batch) in drawn.enumerated() {
      try Data(batch).write(to: folder.url.appendingPathComponent("batch"))
      let format = number % 2 == 0 ? "json" : "text"
      let (exitCode, said) = try folder.run([
        "run", "batch", "--output", "out", "--log-format", format, "--metrics", "m.prom", "--control-totals",
        number % 3 == 0 ? "warn" : "enforce",
      ])
      let shown = String(decoding: batch, as: UTF8.self)
      #expect(exitCode == 2 || exitCode == 0, "\(shown): \(said); \(random.reproduction)")
      // A valid batch identifier and the sum in a trailer stay unchanged.
      if exitCode == 2, !shown.contains("batchId"), !said.contains("CONTROL_TOTAL_MISMATCH") {
        Self.expectNoCardNumber(said, shown)
        looked += 1
      }
      try? FileManager.default.removeItem(at: folder.url.appendingPathComponent("out"))
    }
    #expect(looked > rounds(50).count)
  }

  @Test("valid pay keys, accounts and amounts stay unchanged, even if they look like card numbers")
  func identifiers() throws {
    let folder = try CommandFolder()
    let phone = #""recipient":"+4222222222222""#
    let lines = [
      #"{"payKey":"4111111111111111","sender":"+4222222222222","recipient":"4111-1111-1111-1111@b.example","subTotal":2}"#,
      #"{"payKey":"B","sender":"+4222222222222",\#(phone),"subTotal":"4111111111111111"}"#,
      #"{"payKey":"C","receiverPaymentDetails":[{\#(phone),"subtotal":1},{\#(phone),"subtotal":1}]}"#,
      #"{"payKey":"D","receiverPaymentDetails":[{\#(phone),"subtotal":1,"isPrimary":true},"#
        + #"{"recipient":"a@b.example","subtotal":"4111111111111111"}]}"#,
    ]
    try folder.write("identifiers.jsonl", lines.joined(separator: "\n"))
    let run = try folder.run(["run", "identifiers.jsonl", "--output", "out"])
    #expect(run.exitCode == 1)
    let settlement = try Self.text("out/settlement.csv", in: folder)
    #expect(
      settlement.contains(
        "4111111111111111,SIMPLE,RECEIVER,4111-1111-1111-1111@b.example,USD,2.00,0.00,0.36,1.64,\n"))
    let exceptions = try Self.text("out/exceptions.csv", in: folder)
    #expect(exceptions.contains(#"recipient is ""+4222222222222""; that is the sender"#))
    #expect(exceptions.contains(#"recipient is ""+4222222222222""; an earlier receiver is the same"#))
    #expect(exceptions.contains(",USD,4111111111111111.00,"))
    #expect(exceptions.contains("secondary receivers get 4111111111111111.00; the primary gets only 1.00"))
    let explained = try folder.run(["explain", "identifiers.jsonl", "--pay-key", "4111111111111111"])
    #expect(explained.exitCode == 0)
    #expect(explained.said.contains("Payment 4111111111111111: SETTLED"))
    #expect(explained.said.contains("Receiver: 4111-1111-1111-1111@b.example"))
    #expect(explained.said.contains("sender          +4222222222222\n"))
  }

  /// The number's digits do not occur in sequence, whatever spaces, dashes and escapes a line has.
  private static func expectNoCardNumber(_ text: String, _ place: String) {
    let found = text.split(separator: "\n").filter { line in
      let unescaped = line.replacing(/\\u00[0-9a-f]{2}|\\[nrtbf]/, with: " ")
      return digits(line).contains("4111111111111111") || digits(unescaped[...]).contains("4111111111111111")
    }
    #expect(found.isEmpty, "\(place)\n\(found.prefix(5))")
  }

  /// A line's digits, of any script; what cannot be within a number is an x.
  private static func digits(_ line: Substring) -> String {
    var digits = ""
    for scalar in line.unicodeScalars {
      let properties = scalar.properties
      if properties.numericType != nil, let value = properties.numericValue, value < 10, value == value.rounded() {
        digits += "\(Int(value))"
        continue
      }
      let isUnseen = [.format, .control, .nonspacingMark].contains(properties.generalCategory)
      if !isUnseen, !properties.isWhitespace, !properties.isDash, scalar != ".", scalar != "~" { digits += "x" }
    }
    return digits
  }

  private static func text(_ name: String, in folder: CommandFolder) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
  }
}
