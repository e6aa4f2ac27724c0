import Input
import Money

/// A batch as its options ask for it: what all of its blocks have in common.
struct SamplePlan: Sendable {
  let options: SampleBatchOptions
  let defects: DefectPlan
  let blocks: Int
  private let currencies = SampleCurrencies()

  init(_ options: SampleBatchOptions) {
    self.options = options
    defects = DefectPlan(payments: options.payments, perMillion: options.defectsPerMillion)
    // The first block has the header, so there is one even without payments.
    blocks = max(1, (options.payments + SampleBlock.payments - 1) / SampleBlock.payments)
  }

  /// The first line, with its line end.
  var header: String {
    #"{"type":"header","batchId":"sample-\#(options.seed)-\#(options.payments)","createdAt":"2026-11-20T00:00:00Z"}"#
      + "\n"
  }

  /// The last line, with its line end.
  func trailer(totals: SampleTotals) -> String {
    #"{"type":"trailer","recordCount":\#(options.payments),"totals":\#(totals.json)}"# + "\n"
  }

  /// What makes the payments of block `number`.
  func composer(block number: Int) -> PaymentComposer {
    PaymentComposer(
      seed: options.seed, payments: options.payments, parties: SampleParties(accounts: options.accounts),
      currencies: currencies, random: SampleRandom(seed: options.seed, block: number))
  }
}
