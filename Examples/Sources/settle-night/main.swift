import ExactArithmetic
import Money
import Settlement

// usage: settle-night BATCH OUTPUT; settles a batch, and divides each currency's fees among three partners.
let batch = Batch([CommandLine.arguments[1]])
_ = try batch.validate { finding in
  print("\(finding.file ?? ""):\(finding.line ?? 0): \(finding.code) at \(finding.field): \(finding.message)")
}
do throws(SettlementFailure) {
  let night = try batch.settle(into: CommandLine.arguments[2])
  print("\(night.batchID ?? "The batch"): \(night.count(of: .settled)) of \(night.recordsRead) records settled")
  for sums in night.currencies {
    let unit = ExactDecimal(1, exponent: -sums.currency.settlementExponent)
    let units = sums.fees.wholeQuotient(dividingBy: unit, rounding: .halfEven)
    let parts = try! AllocationConvention.largestRemainder.allocate(
      units, by: [50, 30, 20].map { Ratio(ExactDecimal($0)) }, rounding: .halfEven)
    let shown = parts.map { "\($0 * unit)" }.joined(separator: " + ")
    print("\(sums.currency.code): to receivers \(sums.toReceivers), fees \(sums.fees) = \(shown)")
  }
} catch {
  print("not settled: \(error.message)")
}
