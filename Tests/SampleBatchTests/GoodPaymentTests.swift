import Foundation
import Money
import SampleBatch
import Testing

@testable import SampleBatch

@Suite struct GoodPaymentTests {
  let drawn: [Payment]

  init() throws { drawn = try payments(SampleBatchOptions(payments: 6000, seed: 17, threads: 2)) }

  @Test func allKindsComeUpAsOftenAsAsked() {
    let chained = drawn.count { $0.receivers.contains(where: \.isPrimary) }
    let simple = drawn.count { $0.receivers.count == 1 }
    #expect(drawn.count == 6000)
    #expect((1350...1650).contains(chained))
    #expect((2550...2850).contains(simple))
    #expect(drawn.contains { $0.fields["receiverPaymentDetails"] != nil && $0.receivers.count == 1 })
    #expect(Set(drawn.map(\.receivers.count)) == [1, 2, 3, 4, 5, 6])
  }

  @Test func allSpellingsComeUp() {
    func values(_ name: String) -> Set<String?> { Set(drawn.map { $0.text(name) }) }
    func receiverValues(_ name: String) -> Set<String?> { Set(drawn.flatMap(\.receivers).map { $0.text(name) }) }
    #expect(values("paymentCurrency").count == 25)
    #expect(values("status").count == 4)
    #expect(values("feePayer").count == 5)
    #expect(values("fundingSource").count == 4)
    #expect(receiverValues("paymentType").count == 5)
    #expect(receiverValues("paymentSubType").count == 24)
  }

  @Test func partiesOfAPaymentDiffer() {
    for payment in drawn {
      let parties = payment.receivers.map(\.recipient) + (payment.text("sender").map { [$0.lowercased()] } ?? [])
      #expect(!parties.contains(nil))
      #expect(Set(parties).count == parties.count)
    }
    #expect(Set(drawn.compactMap { $0.text("payKey") }).count == drawn.count)
  }

  @Test func chainsPassOnNoMoreThanTheyGet() throws {
    for payment in drawn where payment.receivers.contains(where: \.isPrimary) {
      let grosses = try payment.receivers.map { try #require($0.gross) }
      #expect(grosses.reduce(0, +) <= 2 * payment.controlAmount)
    }
  }

  @Test func bearersKeepEnoughForTheFees() throws {
    for payment in drawn {
      guard let feePayer = payment.text("feePayer"),
        ["FEEPAYER_PRIMARYRECEIVER", "FEEPAYER_SECONDARYONLY"]
          .contains(feePayer)
      else { continue }
      let sample = try #require(SampleCurrency.all.first { $0.currency.code == payment.currency })
      let sent = payment.controlAmount
      let passedOn = try payment.receivers.filter { !$0.isPrimary }.map { try #require($0.gross) }.reduce(0, +)
      let fixed = Decimal(sample.fixedFeeAllowance) / pow(Decimal(10), sample.currency.settlementExponent)
      let fees = sent * 6 / 100 + fixed * Decimal(payment.receivers.count)
      #expect(feePayer == "FEEPAYER_PRIMARYRECEIVER" ? sent - passedOn >= fees : passedOn >= fees)
    }
  }

  @Test func allowanceIsTwiceThePublishedFixedFee() throws {
    let schedule = try #require(json(ArraySlice(PublishedFees.json)) as? [String: Any])
    let fixed = try #require((schedule["fixed"] as? [String: [String: String]])?["standard"])
    #expect(Set(SampleCurrency.all.map(\.currency)) == Set(Currency.all))
    for sample in SampleCurrency.all {
      let currency = sample.currency
      let fee = try #require(Decimal(string: fixed[currency.code] ?? ""))
      let smallest = fee * pow(Decimal(10), currency.settlementExponent)
      #expect(Decimal(sample.fixedFeeAllowance) >= 2 * smallest, "\(currency.code)")
    }
  }

  @Test func itemsAddUpToTheSubtotal() throws {
    for receiver in drawn.flatMap(\.receivers) where !receiver.items.isEmpty {
      let totals = try receiver.items.map { try #require($0.decimal("totalPrice")) }
      #expect(totals.reduce(0, +) == receiver.subtotal)
    }
  }

  @Test func someMerchantsGetVeryMany() throws {
    let receivers = drawn.flatMap(\.receivers).compactMap(\.recipient)
    let counts = Dictionary(receivers.map { ($0, 1) }, uniquingKeysWith: +)
    let most = try #require(counts.values.max())
    #expect(most > receivers.count / 20)
    #expect(counts.count > 500)
    #expect(counts.values.count { $0 == 1 } > 100)
  }
}
