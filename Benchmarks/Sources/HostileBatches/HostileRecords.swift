/// The records of a hostile batch, one by one.
struct HostileRecords {
  private let batch: HostileBatch
  private let longest: Int
  private var colliding = CollidingTexts()

  /// - Parameter longest: the length in bytes of the longest records.
  init(_ batch: HostileBatch, longest: Int) {
    self.batch = batch
    self.longest = longest
  }

  /// Appends record `number`, from 0, and its line feed; a thousand at once of the empty lines.
  mutating func append(_ number: Int, to text: inout [UInt8]) {
    switch batch {
    case .floodedKeys: appendFlooded(number, to: &text)
    case .millionAccounts: appendParallel(number, to: &text)
    case .oneAccount: appendSingle(key: "night-\(number)", to: &text)
    case .longestText: long(number, #","note":""#, #""}"#).append("x", to: &text)
    case .longestEscapes: long(number, #","note":""#, #""}"#).append(#"\u0041"#, to: &text)
    case .longestFields: long(number, "", "}").append(#","":1"#, to: &text)
    case .longestNesting: long(number, #","note":["#, "0]}").append(Self.nest, to: &text)
    case .longestItems: long(number, Self.items, Self.item.dropLast() + "]}}", partCost: 1).append(Self.item, to: &text)
    case .longestReceivers:
      long(number, Self.receivers, "{}]}", isSingle: false).append(to: &text) {
        #"{"recipient":"r\#(100_000 + $0)@b.c","subtotal":1},"#
      }
    case .emptyReceivers: long(number, Self.receivers, "{}]}", isSingle: false).append("{},", to: &text)
    case .emptyLines: text += repeatElement(UInt8(ascii: "\n"), count: 999)
    case .repeatedPayments: appendSingle(key: "night-0", to: &text)
    case .everyFieldWrong: text += Self.everyFieldWrong.utf8
    case .malformed:
      appendSingle(key: "night-\(number)", to: &text)
      // The first one is well-formed: a file without any valid record is not a batch.
      if number > 0 { text.removeLast() }
    case .shortestPayments: text += #"{"payKey":"\#(String(number, radix: 36))","recipient":"a@b.c","subTotal":1}"#.utf8
    case .emptyObjects: text += "{}".utf8
    case .oneErrorEach: preconditionFailure("these are sample payments")
    }
    text.append(UInt8(ascii: "\n"))
  }

  private static let receivers = #","receiverPaymentDetails":["#
  private static let items = #","invoiceData":{"totalTax":0,"totalShipping":0,"invoiceItems":["#
  private static let item = #"{"name":"a","itemPrice":1,"itemCount":1,"totalPrice":1},"#
  private static let nest = String(repeating: "[", count: 60) + String(repeating: "]", count: 60) + ","

  private static let everyFieldWrong =
    #"{"payKey":"-","paymentCurrency":"XXX","sender":"@","senderCountry":"XX","fundingSource":"X","feePayer":"X","#
    + #""status":"X","memo":1,"ipnUrl":"x","recipient":"@","subTotal":"x"}"#

  private func appendSingle(key: String, to text: inout [UInt8]) {
    text += #"{"payKey":"\#(key)","paymentCurrency":"EUR","sender":"ann@mail.example","senderCountry":"DE","#.utf8
    text += #""recipient":"shop@market.example","country":"DE","subTotal":"25.00","memo":"An order"}"#.utf8
  }

  private mutating func appendFlooded(_ number: Int, to text: inout [UInt8]) {
    // After the last text they are repeated, combined with other receivers and senders.
    let (round, place) = number.quotientAndRemainder(dividingBy: CollidingTexts.count)
    text += #"{"payKey":""#.utf8
    colliding.append(place, to: &text)
    text += #"","paymentCurrency":"EUR","sender":""#.utf8
    colliding.append((place + 4 * round + 4) % CollidingTexts.count, to: &text)
    text += #"@mail.example","recipient":""#.utf8
    colliding.append((place + 4 * round + 8) % CollidingTexts.count, to: &text)
    text += #"@mail.example","subTotal":"25.00"}"#.utf8
  }

  private func appendParallel(_ number: Int, to text: inout [UInt8]) {
    text += #"{"payKey":"night-\#(number)","paymentCurrency":"EUR","sender":"ann@mail.example""#.utf8
    text += Self.receivers.utf8
    for place in 0..<6 {
      // Scattered, so that neighbours in the batch are not neighbours among the accounts.
      let account = UInt32(truncatingIfNeeded: number * 6 + place) &* 0x9E37_79B1
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text += #"{"recipient":"shop-\#(String(account, radix: 16))@market.example","subtotal":"25.00","#.utf8
      text += #""country":"DE","description":"Part of an order"}"#.utf8
    }
    text += "]}".utf8
  }

  private func long(
    _ number: Int, _ opening: String, _ closing: String, isSingle: Bool = true, partCost: Int? = nil
  ) -> LongRecord {
    LongRecord(
      number: number, length: longest, opening: opening, closing: closing, isSingle: isSingle, partCost: partCost)
  }
}

/// A record of a given length: a payment with as many parts as fit.
private struct LongRecord {
  let number: Int
  let length: Int
  /// The text before the parts; `closing` is the text after them.
  let opening: String
  let closing: String
  /// Whether it is a payment of the single shape.
  let isSingle: Bool
  /// The amount that each part and the closing add to the subtotal; if nil, the subtotal is 25.00.
  let partCost: Int?

  func append(_ part: String, to text: inout [UInt8]) { append(to: &text) { _ in part } }

  /// All parts must have the length of the first.
  func append(to text: inout [UInt8], part: (Int) -> String) {
    let key = #"{"payKey":"long-\#(number)""#
    // This leaves room for the digits of the longest possible subtotal.
    let room = length - 80 - key.utf8.count - opening.utf8.count - closing.utf8.count
    let count = room / part(0).utf8.count
    let end = text.count + length
    text += key.utf8
    if isSingle {
      let subtotal = partCost.map { "\($0 * (count + 1))" } ?? "25.00"
      text += #","recipient":"shop@market.example","subTotal":"\#(subtotal)""#.utf8
    }
    text += opening.utf8
    for place in 0..<count { text += part(place).utf8 }
    text += closing.utf8
    // Fill up to the length with spaces, before the last brace.
    text.removeLast()
    text += repeatElement(UInt8(ascii: " "), count: end - text.count - 1)
    text.append(UInt8(ascii: "}"))
  }
}
