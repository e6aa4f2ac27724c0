/// A varied batch: every kind and status, errors, repeated keys, blank lines, both kinds of line ends.
public struct MixedBatch {
  private var random: SeededGenerator
  private var keys: [String] = []
  private var text: [UInt8] = []

  /// The batch's bytes.
  public static func bytes(records: Int, seed: UInt64, hasMark: Bool = false) -> [UInt8] {
    var batch = MixedBatch(random: SeededGenerator(seed: seed))
    if hasMark { batch.text = [0xEF, 0xBB, 0xBF] }
    for number in 0..<records { batch.addRecord(number) }
    return batch.text
  }

  private init(random: SeededGenerator) { self.random = random }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func addRecord(_ number: Int) {
    while chance(5) { text += Array(pick(["\n", " \t\n", "\r\n", "\r\r\n"]).utf8) }
    // A batch that begins like another kind of file is not a batch at all.
    if number > 0, chance(8) {
      text += pick([
        Array("nonsense".utf8), Array("[1,2]".utf8), Array(#"{"type":"x"}"#.utf8), [0x22, 0xFF, 0x22],
        Array(#"{"memo":1,"memo":2}"#.utf8), Array(#"{"payKey":"\#(number)"}"#.utf8), Array("{".utf8),
      ])
    } else {
      text += Array(payment(number).utf8)
    }
    text += Array((chance(20) ? "\r\n" : "\n").utf8)
  }

  private mutating func payment(_ number: Int) -> String {
    if keys.isEmpty || !chance(10) { keys.append("K-\(number)") }
    let key = chance(10) ? pick(keys) : keys[keys.count - 1]
    let currency = pick(["USD", "USD", "EUR", "JPY", "XXX"])
    let status = pick(["COMPLETED", "COMPLETED", "COMPLETED", "CREATED", "OTHER"])
    var fields = #""payKey":"\#(key)","paymentCurrency":"\#(currency)","status":"STATUS_\#(status)""#
    if chance(30) { fields += #","sender":"Payer\#(number % 7)@Example.org","senderCountry":"US""# }
    if chance(10) { fields += #","memo":"\#(String(repeating: "é", count: number % 1100))""# }
    // A comma and a quote in a message cause its field to be quoted.
    if chance(5) { fields += #","feePayer":"FEEPAYER_\#(pick(["SENDER", "PRIMARYRECEIVER", #"x,\""#]))""# }
    if chance(50) { return "{\(fields),\(receiver(0, "subTotal"))}" }
    let count = Int.random(in: 0...7, using: &random)
    let receivers = (0..<count).map { place in
      "{\(receiver(place, "subtotal"))\(place == 0 && chance(40) ? #","isPrimary":true"# : "")}"
    }
    return #"{\#(fields),"receiverPaymentDetails":[\#(receivers.joined(separator: ","))]}"#
  }

  private mutating func receiver(_ place: Int, _ subtotal: String) -> String {
    let amount =
      place == 0 ? "\(Int.random(in: 1...90_000, using: &random))" : "\(Int.random(in: 0...900, using: &random))"
    let account = "r\(Int.random(in: 0...40, using: &random))@\(pick(["Shop", "b"])).example"
    let country = chance(30) ? #","country":"\#(pick(["FR", "US", "QQ"]))""# : ""
    return #""recipient":"\#(account)","\#(subtotal)":"\#(amount)\#(chance(3) ? ".001" : "")"\#(country)"#
  }
}
