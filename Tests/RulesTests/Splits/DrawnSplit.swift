import TestOracles
import TestSupport

/// A split payment drawn by a test: its fields as JSON, and the oracle's result.
struct DrawnSplit {
  /// A receiver: its fields by name, and its terms for the oracle.
  struct Receiver {
    var account: String
    let isPrimary: Bool
    var terms: SplitOracle.Terms
    var minimum: SchoolDecimal?
    var maximum: SchoolDecimal?
    /// Its fields except the recipient and whether it is primary.
    var fields: [(name: String, value: String)] = []

    var termsName: String { isPrimary ? "keep" : "split" }
  }

  let currency: String
  private let decimals: Int
  private let total: SchoolDecimal
  private let isChained: Bool
  private var hasTotal: Bool
  private var receivers: [Receiver] = []
  /// The value that a defect puts in place of the total; empty if the field is left out.
  private var wrongTotal: String??
  private var wrongCurrency: String?
  /// The error of a planted defect.
  private var planted: String?
  /// Whether targets and parts can still be computed despite the defect.
  private var hasTargets = true
  private var hasParts = true

  /// Draws a valid one, whose terms may promise too much or too little.
  ///
  /// - Parameter isProfile: whether its receivers must be allowed in a profile.
  init(_ generator: inout SeededGenerator, isProfile: Bool = false) {
    (currency, decimals) = [("USD", 2), ("JPY", 0), ("EUR", 2), ("HUF", 0)].randomElement(using: &generator)!
    let length = [1, 2, 4, 5, 7, 30].randomElement(using: &generator)!
    total = Self.amount(ofDigits: length, decimals, &generator)
    isChained = Bool.random(using: &generator)
    let places = Array(0..<Int.random(in: isChained ? 2...6 : 1...6, using: &generator))
    let primary = isChained ? places.randomElement(using: &generator) : nil
    hasTotal = !isChained || isProfile || Bool.random(using: &generator)
    let accounts = ["a", "B", "b1", "A-c", "z", "zz", "M.m"].shuffled(using: &generator)
    for place in places {
      let account = place == 3 ? "+1402555010\(place)" : "\(accounts[place])@x.example"
      receivers.append(receiver(account, isPrimary: place == primary, length: length, &generator))
    }
    // If a party takes what is left, most totals can be divided.
    if Int.random(in: 0..<3, using: &generator) > 0, let last = places.last(where: { $0 != primary }) {
      receivers[last] = Receiver(
        account: receivers[last].account, isPrimary: false, terms: .share(SchoolDecimal("2")),
        fields: [("split", #"{"share":2}"#)])
    }
    // Without terms or a total it would not be split.
    if !receivers.contains(where: { $0.fields.contains { "split keep".contains($0.name) } }) { hasTotal = true }
    if let primary, !hasTotal { receivers[primary].fields.append(("subtotal", "\"\(total.plain)\"")) }
  }

  private static func amount(
    ofDigits count: Int, _ decimals: Int, _ generator: inout SeededGenerator
  ) -> SchoolDecimal {
    let digits = (0..<count).map { _ in Int.random(in: 0...9, using: &generator) }
    return SchoolDecimal(digits: digits.dropLast() + [max(1, digits[count - 1])], exponent: -decimals)
  }

  private func receiver(
    _ account: String, isPrimary: Bool, length: Int, _ generator: inout SeededGenerator
  ) -> Receiver {
    let lot = Int.random(in: 0..<10, using: &generator)
    let amount = Self.amount(ofDigits: max(1, length - 1), decimals, &generator)
    guard lot >= 3 else {
      return isPrimary
        ? Receiver(account: account, isPrimary: true, terms: .rest)
        : Receiver(
          account: account, isPrimary: false, terms: .fixed(amount), fields: [("subtotal", "\"\(amount.plain)\"")])
    }
    let digits = Int.random(in: 0...3, using: &generator)
    let number = SchoolDecimal(
      String(Int.random(in: (lot < 6 ? 0 : 1)...(lot < 6 ? 40 : 9) * [1, 10, 100, 1000][digits], using: &generator)),
      exponent: -digits)
    var receiver = Receiver(account: account, isPrimary: isPrimary, terms: lot < 6 ? .percent(number) : .share(number))
    var terms = [lot < 6 ? #""percent":\#(number.plain)"# : #""share":"\#(number.plain)""#]
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let minimum = Bool.random(using: &generator) ? SchoolDecimal("0") : amount
      receiver.minimum = minimum
      terms.append(#""min":"\#(minimum.plain)""#)
    }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let maximum = (receiver.minimum ?? SchoolDecimal("0")) + Self.amount(ofDigits: length, decimals, &generator)
      receiver.maximum = maximum
      terms.append(#""max":"\#(maximum.plain)""#)
    }
    receiver.fields.append((receiver.termsName, "{\(terms.shuffled(using: &generator).joined(separator: ","))}"))
    return receiver
  }

  // MARK: Defects

  /// Plants one defect; leaves the payment unchanged if the one drawn does not fit it.
  mutating func plantDefect(_ generator: inout SeededGenerator) {
    let place = receivers.indices.randomElement(using: &generator)!
    let path = "/receiverPaymentDetails/\(place)"
    let receiver = receivers[place]
    let isGiven = receiver.fields.first { $0.name == receiver.termsName }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0 where hasTotal:
      let (text, code) = [
        ("0", "AMOUNT_NOT_POSITIVE"), ("-1", "NEGATIVE_AMOUNT"), ("1.001", "AMOUNT_PRECISION"), ("true", "WRONG_TYPE"),
        (#""1,5""#, "DECIMAL_SYNTAX"),
      ].randomElement(using: &generator)!
      (wrongTotal, hasTargets) = (text, false)
      planted = "\(code) /splitTotal"
    case 1 where hasTotal && !isChained && receivers.contains { $0.fields.contains { $0.name == "split" } }:
      (wrongTotal, hasTargets) = (.some(nil), false)
      planted = "MISSING_FIELD /splitTotal"
    case 2...4 where isGiven != nil:
      let (text, code, field) = [
        (#"{"percent":1,"share":1}"#, "SPLIT_TERMS", ""), (#"{"min":1}"#, "SPLIT_TERMS", ""), ("{}", "SPLIT_TERMS", ""),
        (#"{"share":1,"min":2,"max":1}"#, "SPLIT_TERMS", "/min"), (#"{"percent":100.1}"#, "INVALID_VALUE", "/percent"),
        (#"{"percent":-1}"#, "NEGATIVE_AMOUNT", "/percent"), (#"{"share":0}"#, "AMOUNT_NOT_POSITIVE", "/share"),
        (#"{"share":1,"max":0.001}"#, "AMOUNT_PRECISION", "/max"), ("7", "WRONG_TYPE", ""),
        (#"{"percent":true}"#, "WRONG_TYPE", "/percent"),
      ].randomElement(using: &generator)!
      replace(receiver.termsName, at: place, by: text)
      planted = "\(code) \(path)/\(receiver.termsName)\(field)"
    case 5:
      // The field of the other role.
      let name = receiver.isPrimary ? "split" : "keep"
      receivers[place].fields.append((name, #"{"share":1}"#))
      // A primary's subtotal next to it, and any other fixed amount, stays valid.
      planted = "SPLIT_TERMS \(path)/\(name)"
      hasTargets = false
    case 6 where receiver.isPrimary ? hasTotal : isGiven != nil:
      receivers[place].fields.append(("subtotal", "1"))
      planted = "SPLIT_TERMS \(path)/subtotal"
      hasTargets = false
    case 7:
      guard case .fixed = receiver.terms else { return }
      receivers[place].fields = []
      planted = "MISSING_FIELD \(path)/subtotal"
      hasTargets = false
    case 8:
      guard case .fixed = receiver.terms else { return }
      replace("subtotal", at: place, by: "0")
      planted = "AMOUNT_NOT_POSITIVE \(path)/subtotal"
    case 9:
      receivers[place].account = "nobody"
      planted = "INVALID_RECIPIENT \(path)/recipient"
      hasParts = false
    case 10 where place > 0:
      receivers[place].account = receivers[0].account.uppercased()
      planted = "RECEIVERS_NOT_UNIQUE \(path)/recipient"
      hasParts = false
    case 11:
      wrongCurrency = "usd"
      planted = "CURRENCY_NOT_SUPPORTED /paymentCurrency"
      hasTargets = false
    default: break
    }
  }

  private mutating func replace(_ name: String, at place: Int, by value: String) {
    for field in receivers[place].fields.indices where receivers[place].fields[field].name == name {
      receivers[place].fields[field].value = value
    }
    hasTargets = false
  }

  // MARK: As JSON, and the expected result

  /// The field of the total, or an empty text.
  var totalField: String {
    let value: String? = wrongTotal ?? "\"\(total.plain)\""
    return hasTotal ? value.map { #""splitTotal":\#($0)"# } ?? "" : ""
  }

  /// The field of the receivers.
  var receiverList: String {
    let texts = receivers.map { receiver in
      let fields = [#""recipient":"\#(receiver.account)""#] + (receiver.isPrimary ? [#""isPrimary":true"#] : [])
      return "{" + (fields + receiver.fields.map { #""\#($0.name)":\#($0.value)"# }).joined(separator: ",") + "}"
    }
    return #""receiverPaymentDetails":[\#(texts.joined(separator: ","))]"#
  }

  var record: String {
    let fields = [#""payKey":"K""#, #""paymentCurrency":"\#(wrongCurrency ?? currency)""#, totalField, receiverList]
    return "{\(fields.filter { !$0.isEmpty }.joined(separator: ","))}"
  }

  /// The errors as `CODE FIELD`, the control amount, and for a settled payment gross and notices of rounding.
  var expected: (errors: [String], control: String, grosses: [String], rounded: [String]) {
    var errors = planted.map { [$0] } ?? []
    let isTotalKnown = wrongTotal == nil && wrongCurrency == nil
    let control = isTotalKnown ? "\(currency) \(total.plain)" : ""
    guard hasTargets else { return (errors, control, [], []) }
    let parties = receivers.map {
      SplitOracle.Party(
        account: $0.account.lowercased(), terms: $0.terms, minimum: $0.minimum, maximum: $0.maximum)
    }
    switch SplitOracle.divide(total, among: parties, decimals: decimals) {
    case .exceedsTotal: errors.append("SPLIT_EXCEEDS_TOTAL /receiverPaymentDetails")
    case .notWhole: errors.append("SPLIT_NOT_WHOLE /receiverPaymentDetails")
    case .parts(let parts, let rounded):
      guard hasParts else { break }
      var (grosses, notices) = ([String](), [String]())
      for (place, receiver) in receivers.enumerated() {
        let path = "/receiverPaymentDetails/\(place)"
        grosses.append((receiver.isPrimary ? total : parts[place]).quantized(to: -decimals, .down).plain)
        if rounded[place] { notices.append("SPLIT_ROUNDED \(path)") }
        let isPart = !receiver.isPrimary && receiver.fields.contains { $0.name == "split" }
        if isPart, parts[place].isZero, receiver.minimum == nil { errors.append("SPLIT_ZERO_PART \(path)/split") }
      }
      return (errors, control, grosses, notices)
    }
    return (errors, control, [], [])
  }
}
