import Testing

@Suite("settle trailer")
struct TrailerTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private static let header = #"{"type":"header","batchId":"b"}"#

  private static func payment(_ key: String, _ amount: String, _ currency: String = "EUR") -> String {
    #"{"payKey":"\#(key)","paymentCurrency":"\#(currency)","recipient":"a@x.example","subTotal":"\#(amount)"}"#
  }

  private static func refund(_ amount: String) -> String {
    #"{"type":"refund","refundKey":"R\#(amount)","payKey":"A","amount":"\#(amount)","currencyCode":"EUR"}"#
  }

  private static let wrong = #"{"type":"trailer","recordCount":99,"totals":{"USD":"1.00"}}"#
  private static let broken = #"{"type":"trailer","recordCount":"x"}"#

  static let batches: [(parts: [[String]], trailer: String)] = [
    ([[payment("A", "10.00"), payment("B", "2.5")]], #"{"type":"trailer","recordCount":2,"totals":{"EUR":"12.50"}}"#),
    // Whatever becomes of a record: A is there twice, and the last has no amount.
    (
      [[header, payment("A", "10.00"), payment("A", "10.00"), payment("C", "300", "JPY"), payment("D", "x"), wrong]],
      #"{"type":"trailer","recordCount":4,"totals":{"EUR":"20.00","JPY":"300"}}"#
    ),
    (
      [[payment("A", "10.00"), refund("1.50"), refund("2.00")]],
      #"{"type":"trailer","recordCount":3,"totals":{"EUR":"10.00"},"refundTotals":{"EUR":"3.50"}}"#
    ),
    // Parts in their order: trailers are not looked at, wherever they are.
    (
      [[header, payment("A", "1.00"), wrong], [broken, payment("B", "2.00"), wrong]],
      #"{"type":"trailer","recordCount":2,"totals":{"EUR":"3.00"}}"#
    ),
    ([[header]], #"{"type":"trailer","recordCount":0,"totals":{}}"#),
    ([[]], #"{"type":"trailer","recordCount":0,"totals":{}}"#),
  ]

  @Test("the records and their control amounts, of all parts", arguments: batches)
  func trailer(parts: [[String]], trailer: String) throws {
    for (number, lines) in parts.enumerated() {
      try folder.write("\(number).jsonl", lines.map { "\($0)\n" }.joined())
    }
    let names = parts.indices.map { "\($0).jsonl" }
    let told = try folder.runApart(["trailer"] + names)
    #expect(told.exitCode == 0 && told.output == trailer + "\n" && told.error.isEmpty, "\(told)")
    // A run takes the batch with that trailer in place of its own.
    let lines = parts.flatMap(\.self).filter { !$0.contains(#""type":"trailer""#) } + [trailer]
    try folder.write("whole.jsonl", lines.map { "\($0)\n" }.joined())
    let run = try folder.runApart(["run", "whole.jsonl", "--output", "out"])
    #expect(run.exitCode <= 1 && run.output.contains("Control totals verified."), "\(run)")
  }

  @Test(
    "a batch that cannot be read is 2",
    arguments: [
      ("nonsense\n", "NOT_A_BATCH"), ("\(payment("A", "1.00"))\n\(header)\n", "HEADER_NOT_FIRST"),
      ("[\n{}\n]\n", "NOT_A_BATCH"), (#"{"type":"header","batchId":7}"# + "\n", "INVALID_HEADER"),
    ])
  func unreadable(text: String, code: String) throws {
    try folder.write("batch.jsonl", text)
    let told = try folder.runApart(["trailer", "batch.jsonl"])
    #expect(told.exitCode == 2 && told.output.isEmpty && told.error.contains(code), "\(told)")
    #expect(try folder.runApart(["trailer", "gone.jsonl"]).exitCode == 66)
  }
}
