import Foundation
import Testing

/// What only batches of earlier nights have: addresses for messages, and the texts that people know.
@Suite("Batches of earlier nights")
struct EarlierBatchesTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "one.jsonl",
      """
      {"payKey":"A","ipnUrl":"https://shop.example/ipn","memo":"Order 4711, many thanks","recipient":"shop@x.example","subTotal":"10.00","customId":"INV-7"}
      {"payKey":"B","recipient":"shop@x.example","subTotal":"10.00","ipnUrl":"no address"}
      {"payKey":"C","recipient":"shop@x.example","subTotal":"10.00","customId":"INV-71","status":"STATUS_CREATED","ipnUrl":"https://shop.example/c"}
      {"payKey":"D","recipient":"shop@x.example","subTotal":"10.00"}
      {"payKey":"D","recipient":"shop@x.example","subTotal":"10.00","ipnUrl":"https://wrong.example"}
      """)
    try folder.write(
      "two.jsonl",
      """
      {"payKey":"C","recipient":"shop@x.example","subTotal":"10.00","customId":"INV-71"}
      {"type":"refund","refundKey":"R-A","payKey":"A"}
      {"type":"refund","refundKey":"R-B","payKey":"B"}
      {"type":"refund","refundKey":"R-D","payKey":"D"}
      """)
    for night in ["one", "two"] {
      _ = try folder.run(["run", "\(night).jsonl", "--output", "out-\(night)", "--ledger", "ledger"])
    }
  }

  @Test("a refund of an earlier night's payment goes to that payment's address if its batch is given")
  func notify() throws {
    let command = ["notify", "out-two", "two.jsonl", "--ledger", "ledger", "--output", "-"]
    let alone = try folder.run(command)
    #expect(alone.exitCode == 0 && !alone.said.contains("REFUND"))
    let earlier = try folder.run(command + ["--earlier", "one.jsonl"])
    #expect(earlier.exitCode == 0)
    let lines = earlier.said.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.count == 1 && lines[0].contains(#""refundKey":"R-A","url":"https://shop.example/ipn""#), "\(lines)")
  }

  @Test("a payment is found by its customId, and by words of its memo, in the batches that are given")
  func find() throws {
    let ledger = ["--ledger", "ledger"]
    let missing = try folder.run(["find", "INV-7"] + ledger)
    #expect(missing.exitCode == 1 && missing.said.contains("--batch FILE"), "\(missing.said)")
    for what in ["INV-7", "Order 4711"] {
      let found = try folder.run(["find", what] + ledger + ["--batch", "one.jsonl", "two.jsonl"])
      #expect(found.exitCode == 0 && found.said.contains("one.jsonl:1\n  payment A, by its "), "\(found.said)")
      #expect(found.said.contains("SETTLED  payment A") && found.said.contains("refund R-A"), "\(found.said)")
      #expect(!found.said.contains("payment C"))
    }
    let both = try folder.run(
      ["find", "INV-71", "--format", "jsonl"] + ledger + ["--batch", "one.jsonl", "two.jsonl"])
    #expect(both.said.contains(#""payKey":"C","foundIn":"customId","file":"one.jsonl","line":3"#), "\(both.said)")
    #expect(both.said.contains(#""file":"two.jsonl","line":1"#), "\(both.said)")
    #expect(try folder.run(["find", "INV-8"] + ledger + ["--batch", "one.jsonl"]).exitCode == 1)
  }

  @Test("a batch with codes or whole numbers of cards has one warning")
  func cards() throws {
    try folder.write(
      "cards.jsonl",
      """
      {"payKey":"D","recipient":"shop@x.example","subTotal":"10.00","card":{"entry":"KEYED","cvv2":"123"}}
      {"payKey":"E","recipient":"shop@x.example","subTotal":"10.00","card":{"entry":"SWIPED","cardNumber":"4111111111111111","expirationDate":"11/30"}}
      {"payKey":"F","recipient":"shop@x.example","subTotal":"10.00","card":{"entry":"SWIPED"}}
      """)
    for command in [["validate", "cards.jsonl"], ["run", "cards.jsonl", "--output", "out-cards"]] {
      let told = try folder.run(command)
      #expect(told.exitCode == 0 && told.said.contains("2 payments in the batch with a whole card number or a cvv2"))
    }
    let none = try folder.run(["validate", "one.jsonl"])
    #expect(!none.said.contains("PCI"))
  }
}
