import ExactArithmetic
import Money
import Rules
import TestSupport
import Testing
import Text

@Suite("Refunds of named fees: each fee and its VAT by itself, to the last unit")
struct RefundedNamesTests {
  static func payment(_ line: String, _ schedule: FeeSchedule) throws -> RefundablePayment {
    var judge = RecordJudge(rules: SettlementRules(schedule: schedule))
    _ = judge.judge(Array(line.utf8).span)
    var text = TextBuffer()
    judge.appendRefundable(to: &text)
    let bytes = [UInt8](text.span)
    #expect(Self.areWhole(bytes))
    return try #require(RefundablePayment(bytes))
  }

  static let line =
    #"{"payKey":"P","paymentCurrency":"EUR","recipient":"anna@shop.example","subTotal":"99.99","country":"DE"}"#

  @Test("what the ledger keeps: names, fees, VAT, and what becomes of them")
  func kept() throws {
    let charges = try Self.payment(Self.line, .named).receivers[0].charges
    #expect(
      charges.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.fee) \($0.vat) \($0.isReturned)" }
        == ["commission 12.00 2.28 true", "processing 1.50 0.00 false", "listing 0.36 0.00 true"])
    #expect(try Self.payment(Self.line, .published).receivers[0].charges.isEmpty)
  }

  @Test("the schedule of the refund's night decides nothing", arguments: [FeeSchedule.published, .returning])
  func returns(tonight: FeeSchedule) throws {
    var refunded = RefundedPayment(try Self.payment(Self.line, .named), run: 1)
    var returned: [String: ExactDecimal] = [:]
    var random = SeededGenerator()
    while !refunded.remaining.isZero {
      let most = try #require(refunded.remaining.inlineCoefficient)
      let amount = ExactDecimal(Int.random(in: 1...min(most, 4000), using: &random), exponent: -2)
      let verdict = refunded.judge(RefundTerms(currency: Currency(code: "EUR"), asked: .amount(amount)), tonight)
      guard case .made(let refund, _) = verdict else { throw RefundFailure.isRefused }
      for part in refund.returned {
        #expect(!part.fee.isNegative && !part.vat.isNegative)
        let name = String(decoding: part.name, as: UTF8.self)
        returned[name, default: .zero].add(part.fee)
        returned[name + " VAT", default: .zero].add(part.vat)
      }
    }
    #expect(
      returned.filter { !$0.value.isZero }.mapValues(\.description)
        == ["commission": "12.00", "commission VAT": "2.28", "listing": "0.36"], "\(random.reproduction)")
  }

  @Test("details whose charges do not add up to the fee")
  func damaged() {
    var judge = RecordJudge(rules: SettlementRules(schedule: .named))
    _ = judge.judge(Array(Self.line.utf8).span)
    var text = TextBuffer()
    judge.appendRefundable(to: &text)
    var bytes = [UInt8](text.span)
    bytes[bytes.count - 2] ^= 1
    #expect(!Self.areWhole(bytes))
    #expect(!Self.areWhole(bytes.dropLast()))
  }

  private static func areWhole(_ bytes: [UInt8]) -> Bool { RefundablePayment.areChargesWhole(bytes.span) }

  private enum RefundFailure: Error { case isRefused }
}
