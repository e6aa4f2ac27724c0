import Foundation
import SampleBatch
import Testing

@testable import SampleBatch

@Suite struct DefectTests {
  private func plan(_ payments: Int, _ defectsPerMillion: UInt32) -> DefectPlan {
    DefectPlan(SampleBatchOptions(payments: payments, seed: 1, defectsPerMillion: defectsPerMillion))
  }

  @Test func defectsAreTheErrorCodesOfTheRules() {
    #expect(Defect.allCases.count == 31)
  }

  @Test(arguments: [(31, UInt32(1)), (3000, 1), (3000, 20_000), (100_000, 1_000_000)])
  func everyCodeComesUp(payments: Int, rate: UInt32) {
    let plan = plan(payments, rate)
    let defects = (0..<payments).compactMap { plan.assignment(of: $0)?.defect }
    #expect(Set(defects) == Set(Defect.allCases))
    #expect(defects.count == plan.count(before: payments))
    #expect(defects.count { $0 == .recordTooLong } == 1)
  }

  @Test func rateIsKeptWhereItIsHighEnough() {
    #expect(plan(10_000, 0).count(before: 10_000) == 0)
    #expect(plan(10_000, 50_000).count(before: 10_000) == 500)
    #expect(plan(30, 1).count(before: 30) == 0)
    #expect(plan(10_000, 1).count(before: 10_000) >= 31)
  }

  @Test func defectsAreSpreadEvenly() {
    let plan = plan(10_000, 10_000)
    #expect((0..<10_000).filter { plan.assignment(of: $0) != nil } == Array(stride(from: 99, to: 10_000, by: 100)))
  }

  @Test func keysRepeatThatOfThePaymentBefore() throws {
    let plan = plan(400, 500_000)
    let records = try lines(SampleBatchOptions(payments: 400, seed: 2, defectsPerMillion: 500_000))
    let repeats = (0..<400).filter { plan.assignment(of: $0)?.defect == .duplicatePayKey }
    #expect(repeats.count == 6)
    for index in repeats {
      let key = try #require(json(records[index + 1]) as? [String: Any])["payKey"] as? String
      let before = try #require(json(records[index]) as? [String: Any])["payKey"] as? String
      #expect(key != nil && key == before)
    }
  }

  /// Five of each structural defect; the other codes are for an engine to judge.
  @Test func recordsAreSpoiltAsAWhole() throws {
    let count = 5 * Defect.allCases.count
    let records = try lines(SampleBatchOptions(payments: count, seed: 2, defectsPerMillion: 1_000_000))
    for index in 0..<count {
      let record = records[index + 1]
      let value = json(record)
      switch DefectPlan.assignment(number: index).defect {
      case .recordTooLong: #expect(record.count > 1_048_576 && record.count < 1_048_640)
      case .invalidUTF8: #expect(String(validating: record, as: UTF8.self) == nil)
      case .malformedJSON:
        let text = String(validating: record, as: UTF8.self)
        #expect(text != nil)
        // Foundation accepts a comma at the end and a lone surrogate.
        #expect(value == nil || text?.hasSuffix(",}") == true || text?.hasSuffix(#"\ud83c"}"#) == true)
      case .notAnObject: #expect(value is [Any])
      default: #expect(value is [String: Any] && record.count <= 10_000)
      }
    }
  }

  @Test func totalsAreThoseOfThePaymentsThatHaveAnAmount() throws {
    // What the first round of defects damages: the whole record, or the subtotal of the first receiver.
    let whole: Set<Defect> = [
      .recordTooLong, .invalidUTF8, .malformedJSON, .notAnObject, .duplicateField, .unknownRecordType,
      .currencyNotSupported, .paymentShape,
    ]
    let subtotal: Set<Defect> = [.missingField, .decimalSyntax, .negativeAmount, .amountNotPositive, .amountPrecision]
    let count = Defect.allCases.count
    let records = try lines(SampleBatchOptions(payments: count, seed: 31, defectsPerMillion: 1_000_000))
    var sums: [String: Decimal] = [:]
    for (index, defect) in Defect.allCases.enumerated() where !whole.contains(defect) {
      let payment = Payment(fields: try #require(json(records[index + 1]) as? [String: Any]))
      let primary = payment.receivers.firstIndex(where: \.isPrimary)
      if subtotal.contains(defect), primary == nil || primary == 0 { continue }
      sums[payment.currency, default: 0] += payment.controlAmount
    }
    let trailer = Payment(fields: try #require(json(records[count + 1]) as? [String: Any]))
    let totals = try #require(trailer.object("totals"))
    #expect(Set(totals.fields.keys) == Set(sums.keys))
    for (currency, sum) in sums { #expect(totals.decimal(currency) == sum, "\(currency)") }
  }
}
