import Import
import TestSupport
import Testing

/// Keys of requests without a `trackingId`: the same request gets the same key, however its file is written.
@Suite("Keys of requests")
struct RequestKeysTests {
  private static let pairs = [
    "actionType=PAY", "currencyCode=USD", "senderEmail=ann@mail.example", "memo=Many thanks, é&c",
    "receiverList.receiver(0).email=shop@x.example", "receiverList.receiver(0).amount=25.00",
    "receiverList.receiver(0).primary=true", "receiverList.receiver(1).email=lamps@x.example",
    "receiverList.receiver(1).amount=5", "returnUrl=https://x.example/?order=17",
  ]
  private static let encoded = pairs.map { $0.replacing("&", with: "%26") }
  private static let line = encoded.joined(separator: "&")
  private static let json = #"""
    {"actionType":"PAY","currencyCode":"USD","senderEmail":"ann@mail.example","memo":"Many thanks, é&c",
     "receiverList":{"receiver":[{"email":"shop@x.example","amount":25.00,"primary":true},
     {"email":"lamps@x.example","amount":"5"}]},"returnUrl":"https://x.example/?order=17"}
    """#

  private static func keys(_ text: String, _ format: RequestImport.Format = .nameValue) -> [String] {
    let imported = Imported(Array(text.utf8), format, createdAt: "2026-11-20T18:00:00Z")
    return imported.records.compactMap { record in
      record.firstMatch(of: /"(?:payKey|refundKey|preapprovalKey)":"(request-[^"]*)"/).map { String($0.1) }
    }
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: $0 % 2 == 0) }.joined()
  }

  static let spellings: [(String, RequestImport.Format)] = [
    (line, .nameValue), (line + "\n", .nameValue), (line + "\r\n", .nameValue),
    ("\u{FEFF}" + line, .nameValue), ("\n\n \t\n" + line + "\n\n", .nameValue), ("# a log\n" + line, .nameValue),
    (encoded.reversed().joined(separator: "&"), .nameValue), (encoded.joined(separator: "\n&"), .nameValue),
    (encoded.joined(separator: "\r\n&"), .nameValue), (encoded.joined(separator: "&\\\n"), .nameValue),
    (encoded.joined(separator: "&amp;"), .nameValue), (encoded.joined(separator: "&&"), .nameValue),
    (encoded.map { "  \($0)  # more" }.joined(separator: "\n&"), .nameValue),
    (line.replacing(" ", with: "+"), .nameValue), (line.replacing(" ", with: "%20"), .nameValue),
    (encoded.map { $0.replacing(/^([^=]*)=/) { "\($0.1) = " } + "%0a " }.joined(separator: "&"), .nameValue),
    (line.replacing("(0)", with: "[0]").replacing("primary", with: "primary[0]"), .nameValue),
    (line.replacing("receiver(0)", with: "receiver"), .nameValue),
    (line.replacing("&currencyCode", with: "\u{A4}cyCode"), .nameValue),
    (line + "&memo2=&trackingId=&feesPayer=%20", .nameValue),
    ("https://svcs.paypal.com/AdaptivePayments/Pay?" + line, .nameValue),
    ("POST /AdaptivePayments/Pay HTTP/1.1\nHost: svcs.paypal.com\n\n" + line, .nameValue),
    (
      pairs.map { pair in
        pair.split(separator: "=", maxSplits: 1).map { percentEncoded(String($0)) }.joined(separator: "=")
      }
      .joined(separator: "&"), .nameValue
    ),
    (json, .json), (json.replacing("\n", with: ""), .json), (json.replacing("\n", with: "\r\n"), .json),
    ("[\(json)]", .json), (json.replacing("é", with: "\\u00e9").replacing("25.00", with: "\"25.00\""), .json),
    (json.replacing(":", with: " :\n ").replacing(" :\n //", with: "://"), .json),
    (json.replacing(#""actionType":"PAY","#, with: "").dropLast() + #","actionType":"PAY"}"#, .json),
    (json.replacing(#""actionType""#, with: #""trackingId":null,"feesPayer":"","actionType""#), .json),
    ("// a comment\n" + json, .json),
  ]

  @Test("are the same for every spelling of a request", arguments: spellings)
  func same(text: String, format: RequestImport.Format) {
    // SHA-256 of `3:Pay10:actionType3:PAY12:currencyCode3:USD4:memo` and so on, computed by another program. If it
    // changes, settled requests are settled again.
    #expect(Self.keys(text, format) == ["request-4052b4829f424ed4ef9428c3fc2bf2c2-1"], "\(text)")
  }

  @Test(
    "differ if the request differs",
    arguments: [
      "actionType=CREATE", "currencyCode=EUR", "senderEmail=bob@mail.example", "memo=Many thanks,  é&c", "memo=",
      "receiverList.receiver(0).email=Shop@x.example", "receiverList.receiver(0).amount=25.0",
      "receiverList.receiver(0).amount=+25.00", "receiverList.receiver(1).amount=5.00",
      "receiverList.receiver(0).primary=", "receiverList.receiver(1).invoiceId=L-4", "feesPayer=EACHRECEIVER",
      "returnUrl=https://x.example/?order=18", "requestEnvelope.errorLanguage=en_US", "own=1",
    ])
  func differences(pair: String) {
    let name = pair.prefix { $0 != "=" } + "="
    let changed =
      Self.encoded.filter { !$0.hasPrefix(name) } + [pair.replacing("&", with: "%26").replacing("+", with: "%2B")]
    let keys = Self.keys(Self.line + "\n\n" + changed.joined(separator: "&"))
    #expect(keys.count == 2 && keys.allSatisfy { $0.hasSuffix("-1") } && keys[0] != keys[1], "\(keys)")
  }

  @Test("number equal requests of one import, over all its files")
  func occurrences() {
    var batch = RequestImport(.nameValue)
    let other = Self.line.replacing("25.00", with: "26.00")
    for file in ["\(Self.line)\n\(other)\n\(Self.line)", other, "\(Self.encoded.reversed().joined(separator: "&"))"] {
      #expect(batch.read(Array(file.utf8)) { _ in })
    }
    var written: [UInt8] = []
    batch.writeBatch { written.append($0) }
    let keys = String(decoding: written, as: UTF8.self).matches(of: /"payKey":"(request-[0-9a-f]{32})-([0-9]+)"/)
    #expect(keys.map { $0.2 } == ["1", "1", "2", "2", "3"])
    #expect(Set(keys.map { $0.1 }).count == 2)
  }

  @Test("stay with their records when a file grows or is rewritten")
  func growth() {
    var random = SeededGenerator()
    let address = "https://svcs.paypal.com/AdaptivePayments/"
    for _ in 0..<100 {
      func drawn() -> (line: String, json: String) {
        let amount = Int.random(in: 1...3, using: &random)
        let receiver = "receiverList.receiver(0)"
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          return (
            "\(address)Refund?payKey=AP-\(amount)&currencyCode=USD",
            "\(address)Refund\n" + #"{"currencyCode":"USD","payKey":"AP-\#(amount)"}"#
          )
        case 1:
          return (
            "\(address)Preapproval?startingDate=2026-11-2\(amount)Z&endingDate=2027-01-01Z&currencyCode=USD"
              + "&maxTotalAmountOfAllPayments=\(amount)",
            "\(address)Preapproval\n"
              + #"{"maxTotalAmountOfAllPayments":\#(amount),"currencyCode":"USD","endingDate":"2027-01-01Z","#
              + #""startingDate":"2026-11-2\#(amount)Z"}"#
          )
        default:
          return (
            "actionType=PAY&currencyCode=USD&\(receiver).email=a@b.example&\(receiver).amount=\(amount)",
            #"{"receiverList":{"receiver":{"amount":\#(amount),"email":"a@b.example"}},"currencyCode":"USD","#
              + #""actionType":"PAY"}"#
          )
        }
      }
      let before = (0..<Int.random(in: 1...8, using: &random)).map { _ in drawn() }
      var after = before
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        after.insert(drawn(), at: Int.random(in: 0...after.count, using: &random))
      }
      let time = "2026-11-20T18:00:00Z"
      let first = Imported(nameValue: before.map(\.line).joined(separator: "\n"), createdAt: time)
      #expect(first.payments == before.count, "\(first.told) \(random.reproduction)")
      #expect(Set(first.records).count == before.count, "\(random.reproduction)")
      for second in [
        Imported(nameValue: after.map(\.line).joined(separator: "\n"), createdAt: time),
        Imported(nameValue: after.map(\.line).joined(separator: "\r\n\r\n"), createdAt: time),
        Imported(Array(after.map(\.json).joined(separator: "\n").utf8), .json, createdAt: time),
      ] {
        #expect(second.payments == after.count, "\(second.told) \(random.reproduction)")
        #expect(Set(second.records).isSuperset(of: first.records), "\(random.reproduction)")
      }
    }
  }

  @Test("do not depend on secrets that could be guessed from them")
  func secrets() {
    let line = Self.line.replacing("memo=", with: "own=")
    for (one, other) in [
      ("pin=1234", "pin=4321"), ("memo=4111 1111 1111 1111", "memo=**** **** **** 1111"),
      ("receiverList.receiver(0).invoiceId=4111111111111111", "receiverList.receiver(0).invoiceId=************1111"),
      ("card=4111111111111111", "card=************1111"),
    ] {
      let keys = Self.keys("\(line)&\(one)\n\n\(line)&\(other)")
      #expect(keys.count == 2 && keys[0].dropLast() == keys[1].dropLast(), "\(keys)")
    }
    // Digits that name a party are never masked: masked as card numbers, these would have the same last four digits.
    let phones = ["4915123075678", "4915123155678"].map {
      "actionType=PAY&currencyCode=USD&receiverList.receiver(0).amount=1&receiverList.receiver(0).email=%2B\($0)"
    }
    #expect(Set(Self.keys(phones.joined(separator: "\n"))).count == 2)
  }

  @Test("do not count requests that are wrong")
  func wrong() {
    let twice = Self.line + "&receiverList.receiver(0).primary(0)=false"
    #expect(Self.keys("\(twice)\n\n\(Self.line)") == Self.keys(Self.line))
  }
}
