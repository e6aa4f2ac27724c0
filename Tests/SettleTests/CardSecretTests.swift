import Foundation
import Testing

/// Cards planted everywhere in a batch: what the commands write does not depend on the secret parts, so it cannot
/// contain them.
@Suite("Secrets of cards")
struct CardSecretTests {
  /// The secret parts of a batch's cards. Two of these differ in everything except the last four digits of numbers.
  struct Secret {
    let number: String
    let longCodeNumber: String
    let wrongNumber: String
    let code: String

    static let one = Secret(
      number: "4929135790871234", longCodeNumber: "371357908655678", wrongNumber: "4929135790871235", code: "739")
    static let other = Secret(
      number: "4654286539771234", longCodeNumber: "372865397155678", wrongNumber: "4654286539771235", code: "284")

    private var grouped: String {
      stride(from: 0, to: 16, by: 4).map { String(Array(number)[$0..<$0 + 4]) }.joined(separator: " ")
    }
    private var escaped: String { number.map { "\\u003\($0)" }.joined() }

    /// Cards, as JSON.
    var cards: [String] {
      let numbers = [number, longCodeNumber, wrongNumber, grouped, escaped, number + "9999", "n\(wrongNumber)"]
      let whole = numbers.flatMap { number in
        ["\(code)", "\(code)1", "zq\(code)", "\\u003\(code.first ?? "0")\(code.dropFirst())"].map { code in
          #"{"cardNumber":"\#(number)","expirationDate":"11/26","entry":"KEYED","cvv2":"\#(code)"}"#
        }
      }
      let values = [
        "\"\(number)\"", "\"\(grouped)\"", number, code, "[\"\(wrongNumber)\",\(code)]", "{\"\(number)\":\(code)}",
      ]
      let single = values.flatMap { value in
        ["cardNumber", "cvv2", "entry", "expirationDate", "postalCode", "track2"].map { name in
          #"{"entry":"SWIPED","\#(name)x":1,"\#(name)":\#(value)}"#
        }
      }
      return whole + single + values + [
        #"{"entry":"SWIPED","\#(number)":"x","\#(grouped)":1,"\#(wrongNumber)":2}"#,
        #"{"cvv2":"\#(code)","cvv2":"\#(code)1","cardNumber":"\#(number)"}"#,
      ]
    }

    /// Lines that are not JSON, or not an object.
    var others: [String] {
      [
        #"{'card':{'cardNumber':'\#(number)','cvv2':'\#(code)'}}"#, #"{"card":{"cvv2":0\#(code)}}"#,
        #"{"card":{"cardNumber":"\#(wrongNumber)" "cvv2":"\#(code)"}}"#, #"{"card":{"cvv2":"\#(code)"#,
        "\(number) \(code)",
        "[\(number),\"\(code)\"]", "\"\(number)\"", number, #"{"card":{"cvv2":"12\#u{1}\#(code)"}}"#,
        "\(code)\(number)x",
        #"{"type":"\#(grouped)","card":{"cvv2":"\#(code)"}}"#,
      ]
    }

    var batch: String {
      let payments = cards.enumerated().flatMap { place, card in
        ["", #","status":"STATUS_CREATED""#, #","fundingSource":"BANK""#, #","createdAt":"2026-12-01T00:00:00Z""#]
          .enumerated().map {
            #"{"payKey":"K-\#(place)-\#($0)","recipient":"a@b.example","subTotal":"1.00"\#($1),"card":\#(card)}"#
          }
      }
      return (payments + others + cards.map { "{\"card\":\($0)}" }).joined(separator: "\n")
    }
  }

  @Test("every command writes the same, whatever the numbers and codes are")
  func sameOutput() throws {
    let (one, other) = (try Self.outputs(.one), try Self.outputs(.other))
    #expect(one.count > 25)
    for (name, text) in one.sorted(by: { $0.key < $1.key }) {
      let lines = zip(text.split(separator: "\n"), (other[name] ?? "").split(separator: "\n"))
      let first = lines.first { $0 != $1 }.map { "\($0) or \($1)" } ?? "lines are missing"
      #expect(text == other[name], "\(name): \(first)")
    }
    // The cards reached the output: their last four digits and their errors are there.
    #expect(one["explain"]?.contains("**** **** **** 1234, KEYED, good until 11/2026") == true)
    #expect(one["explain"]?.contains("**** ****** *5678") == true)
    #expect(one["validate jsonl"]?.contains("/card/************1234") == true)
    for code in ["INVALID_CARD_NUMBER", "CARD_EXPIRED", "FUNDING_SOURCE_MISMATCH", "DUPLICATE_FIELD", "MALFORMED_JSON"]
    {
      #expect(one["out/exceptions.csv"]?.contains(code) == true, "\(code)")
    }
  }

  /// What each command prints or writes, by a name, without digests and times.
  private static func outputs(_ secret: Secret) throws -> [String: String] {
    let folder = try CommandFolder()
    try folder.write("cards.jsonl", secret.batch)
    for (number, line) in secret.others.enumerated() { try folder.write("other-\(number)", line) }
    try folder.write("header", #"{"type":"header","batchId":[],"card":{"cvv2":"\#(secret.code)"}}"#)
    try folder.write(
      "trailer", #"{"type":"trailer","recordCount":"\#(secret.number)","totals":{},"card":{"cvv2":"\#(secret.code)"}}"#)
    try folder.write(
      "requests",
      "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount=1.00"
        + "&card.cvv2=\(secret.code)&card.cardNumber=\(secret.number)")
    var outputs: [String: String] = [:]
    func run(_ name: String, _ arguments: String) throws {
      outputs[name] = try folder.run(arguments.split(separator: " ").map(String.init)).said
    }
    try run("run", "run cards.jsonl --output out --ledger ledger --metrics run.prom --log-level debug")
    try run(
      "run json",
      "run cards.jsonl --output out2 --unknown-fields reject --log-format json --log-level debug --threads 3")
    for format in ["text", "jsonl", "github", "sarif"] {
      try run("validate \(format)", "validate cards.jsonl --format \(format) --notices --max-findings 100000")
    }
    let lines = 1...secret.batch.split(separator: "\n").count
    try run("explain", "explain cards.jsonl " + lines.map { "--line \($0)" }.joined(separator: " "))
    try run("verify", "verify out --batch cards.jsonl --metrics verify.prom")
    try run("verify other", "verify out --batch good.jsonl --format jsonl")
    try run("history", "history --ledger ledger")
    try run("find", "find K-0-0 --ledger ledger")
    #expect(outputs["find"]?.contains("payment K-0-0") == true)
    try run("report", "report out --html page.html")
    try run("statement", "statement cards.jsonl --all-accounts --format csv --output csv --date 2026-11-20")
    for format in ["hledger", "beancount"] {
      try run(format, "journal cards.jsonl --format \(format) --output journal.\(format) --date 2026-11-20")
    }
    for number in secret.others.indices { try run("other \(number)", "run other-\(number) --output none") }
    try run("as fees", "fees --fees other-0")
    try run("as splits", "run good.jsonl --output none --splits cards.jsonl")
    try run("header", "run header --output none --log-format json")
    try run("trailer", "run trailer --output none")
    try run("import", "import requests --format adaptive-nvp --output made --skip-invalid")
    let inputs = ["cards.jsonl", "header", "trailer", "requests"] + secret.others.indices.map { "other-\($0)" }
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) where !inputs.contains(name) {
      guard let bytes = try? Data(contentsOf: folder.url.appendingPathComponent(name)) else { continue }
      if name.hasPrefix("ledger") {
        for text in [secret.number, secret.wrongNumber, secret.longCodeNumber, "zq\(secret.code)"] {
          #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
        }
      } else {
        outputs[name] = String(decoding: bytes, as: UTF8.self)
      }
    }
    // Lines with digests, times and speeds differ, but must at least not contain a number.
    for (name, text) in outputs {
      let isVolatile =
        ["run", "history", "find", "made", "page.html"].contains(name) || name.hasSuffix("SHA256SUMS")
      let lines = text.split(separator: "\n")
      let kept = lines.filter { line in
        !isVolatile && !["sha256", "second", "_bytes", "\"time\""].contains(where: line.contains)
      }
      outputs[name] = kept.joined(separator: "\n")
      let numbers = [secret.number, secret.wrongNumber, secret.longCodeNumber]
      #expect(!numbers.contains(where: text.contains), "\(name)")
    }
    return outputs
  }
}
