import SampleBatch
import Testing

@testable import BatchRun
@testable import RunSupport

@Suite("Generated nights")
struct SampleNightsTests {
  @Test("refunds and agreements of all nights are settled without an error")
  func settles() throws {
    let workshop = try LedgerWorkshop()
    for night in 1...4 {
      var options = SampleBatchOptions(payments: 2100, seed: 5, accounts: 300, threads: 2)
      options.features = [.splits, .amounts, .cards, .refunds, .preapprovals]
      (options.night, options.nights) = (night, 4)
      var text: [UInt8] = []
      _ = try SampleBatch.write(options, isLZ4: false) { text.append($0) }
      try workshop.folder.write(text, to: "batch-\(night)")
      let outcome = workshop.settle(files: ["batch-\(night)"], output: "out-\(night)")
      #expect(outcome.description == "settled \(night)")
      let errors = try workshop.rows("exceptions.csv", of: "out-\(night)").filter { $0[4] == "REJECTED" }
      #expect(errors.isEmpty, "night \(night): \(errors.first ?? [])")
      let refunds = try workshop.rows("refunds.csv", of: "out-\(night)")
      #expect(
        Set(refunds.map { String($0[2]) })
          == (night == 1 ? [""] : night == 2 ? ["", "1"] : ["", "\(night - 1)", "\(night - 2)"]))
      #expect(try !workshop.rows("preapprovals.csv", of: "out-\(night)").isEmpty)
    }
  }
}
