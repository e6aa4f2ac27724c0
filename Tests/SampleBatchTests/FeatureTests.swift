import Foundation
import SampleBatch
import Testing

/// Features of payments, judged by a reading of the specification that shares nothing with the engine.
@Suite struct FeatureTests {
  private static let features: SampleFeatures = [.splits, .amounts, .cards, .fees]
  let options = SampleBatchOptions(payments: 4000, seed: 9, features: features, threads: 2)
  let drawn: [Payment]

  init() throws { drawn = try payments(options) }

  /// What is sent to a receiver: its entry's amounts, or its own.
  private func gross(_ receiver: Payment, of payment: Payment) throws -> Decimal {
    let entry =
      payment.object("adjustedAmounts")
      ?? payment.objects("adjustedAmounts").first { $0.recipient == receiver.recipient }?.object("amounts")
    guard let entry else { return try #require(receiver.gross) }
    let amount = try #require(entry.decimal("payment_amount"))
    return amount + (entry.decimal("tax") ?? 0) + (entry.decimal("shipping") ?? 0)
  }

  private func controlAmount(_ payment: Payment) throws -> Decimal {
    if let total = payment.decimal("splitTotal") { return total }
    let primary = payment.receivers.filter(\.isPrimary)
    return try (primary.isEmpty ? payment.receivers : primary).reduce(0) { try $0 + gross($1, of: payment) }
  }

  @Test func totalsAreThoseOfThePayments() throws {
    let trailer = try #require((json(try lines(options)[4001]) as? [String: Any]).map(Payment.init))
    let totals = try #require(trailer.object("totals"))
    var sums: [String: Decimal] = [:]
    for payment in drawn { sums[payment.currency, default: 0] += try controlAmount(payment) }
    for (currency, sum) in sums { #expect(totals.decimal(currency) == sum, "\(currency)") }
    #expect(Set(totals.fields.keys) == Set(sums.keys))
  }

  @Test func adjustedAmountsAreOfTheirReceivers() throws {
    var entries = 0
    for payment in drawn where payment.fields["adjustedAmounts"] != nil {
      let list = payment.objects("adjustedAmounts")
      let isAdvanced = payment.fields["receiverPaymentDetails"] != nil
      #expect(isAdvanced == !list.isEmpty && (isAdvanced || payment.object("adjustedAmounts") != nil))
      #expect(Set(list.map(\.recipient)).count == list.count)
      #expect(payment.fields["splitTotal"] == nil)
      for entry in list {
        let receiver = try #require(payment.receivers.first { $0.recipient == entry.recipient })
        #expect(receiver.fields["split"] == nil && receiver.fields["keep"] == nil)
      }
      for amounts in isAdvanced ? list.compactMap({ $0.object("amounts") }) : [payment.object("adjustedAmounts")!] {
        entries += 1
        #expect(try #require(amounts.decimal("payment_amount")) > 0)
        #expect(amounts.text("currency").map { $0 == payment.currency } ?? true)
        #expect(["tax", "shipping"].allSatisfy { (amounts.decimal($0) ?? 0) >= 0 })
      }
      // A primary receiver passes on no more than it gets.
      let primary = payment.receivers.filter(\.isPrimary)
      let passedOn = try payment.receivers.filter { !$0.isPrimary }.reduce(0) { try $0 + gross($1, of: payment) }
      #expect(try primary.isEmpty || passedOn <= gross(primary[0], of: payment))
    }
    #expect(entries > 1000)
    #expect(Set(drawn.map { $0.text("amountErrorCode") }) == [nil, "AMOUNT_ERROR_NONE"])
    let addresses = drawn.count { $0.object("shippingAddress")?.text("street1") != nil }
    #expect((1200...1600).contains(addresses))
  }

  @Test func cardsAreValid() throws {
    let cards = drawn.filter { $0.fields["card"] != nil }
    #expect((1100...1500).contains(cards.count))
    var dates: Set<String> = []
    for payment in cards {
      let card = try #require(payment.object("card"))
      #expect([nil, "CARD"].contains(payment.text("fundingSource")))
      let entry = try #require(card.text("entry"))
      #expect(["SWIPED", "KEYED"].contains(entry))
      guard let number = card.text("cardNumber") else {
        #expect(card.fields["cvv2"] == nil)
        continue
      }
      #expect((13...19).contains(number.count) && luhnSum(number) % 10 == 0, "\(number)")
      let date = try #require(card.text("expirationDate"))
      let match = try #require(date.wholeMatch(of: /(0[1-9]|1[0-2])\/?(20)?([0-9]{2})/))
      // The payments are from 2026-11.
      #expect(Int(match.3)! * 12 + Int(match.1)! >= 26 * 12 + 11)
      dates.insert(date)
      let securityCode = card.text("cvv2")
      #expect((securityCode != nil) == (entry == "KEYED"))
      if let securityCode { #expect(securityCode.count == (number.hasPrefix("37") ? 4 : 3)) }
    }
    #expect(dates.count > 150)
  }

  private func luhnSum(_ number: String) -> Int {
    number.reversed().enumerated().reduce(0) { sum, place in
      let digit = place.element.wholeNumberValue! * (place.offset % 2 + 1)
      return sum + (digit > 9 ? digit - 9 : digit)
    }
  }

  @Test func categoriesAreOfAllReceivers() {
    let sorted = drawn.filter { $0.receivers.contains { $0.fields["category"] != nil } }
    #expect((1100...1500).contains(sorted.count))
    #expect(sorted.allSatisfy { $0.receivers.allSatisfy { $0.text("category") != nil } })
    #expect(Set(sorted.flatMap(\.receivers).map { $0.text("category") }).count == 6)
  }

  @Test func allTermsComeUp() {
    let receivers = drawn.flatMap(\.receivers)
    let splits = receivers.compactMap { $0.object("split") }
    let keeps = receivers.compactMap { $0.object("keep") }
    for field in ["percent", "share", "min", "max"] { #expect(splits.contains { $0.fields[field] != nil }, "\(field)") }
    for field in ["percent", "share", "min"] { #expect(keeps.contains { $0.fields[field] != nil }, "\(field)") }
    let totals = drawn.filter { $0.fields["splitTotal"] != nil }
    #expect((1000...1500).contains(totals.count))
    #expect(totals.contains { $0.receivers.contains { $0.fields["split"] == nil } })
    #expect(drawn.contains { $0.fields["splitTotal"] == nil && $0.receivers.contains { $0.fields["split"] != nil } })
  }

  @Test func featuresAloneMakeTheBatchesDifferent() throws {
    let bytes = try [nil, [], .splits, .amounts, .cards, .fees].map { (features: SampleFeatures?) in
      var options = SampleBatchOptions(payments: 100, seed: 3)
      if let features { options.features = features }
      return try batch(options).bytes
    }
    #expect(bytes[0] == bytes[1])
    #expect(Set(bytes).count == 5)
    #expect(SampleFeatures(names: ["cards", "splits"]) == [.splits, .cards])
    #expect(SampleFeatures(names: ["card"]) == nil)
  }
}
