import Testing

@Suite("settle validate, run as a user runs it")
struct ValidateTests {
  private func told(_ lines: String, _ options: String...) throws -> (exitCode: Int32, output: String, error: String) {
    let folder = try CommandFolder()
    try folder.write("batch.jsonl", lines)
    return try folder.runApart(["validate", "batch.jsonl"] + options)
  }

  private static let payment = #"{"payKey":"P-1","recipient":"a@b.example","subTotal":"25.00","other":1}"#

  @Test("notices are listed on request, and counted in any case")
  func notices() throws {
    let counted = """
      severity  code           count
      notice    UNKNOWN_FIELD      1
      1 record: 1 valid, 0 rejected with 0 errors; control totals absent

      """
    let unlisted = try told(Self.payment)
    #expect(unlisted.exitCode == 0 && unlisted.output.isEmpty)
    #expect(unlisted.error == "1 notice is not listed (--notices)\n" + counted)
    let listed = try told(Self.payment, "--notices")
    #expect(listed.output == "batch.jsonl:1: notice: UNKNOWN_FIELD at /other: unknown field; it is ignored\n")
    #expect(listed.error == counted)
  }

  @Test("control totals that disagree end it, or are a warning if that is asked for")
  func controlTotals() throws {
    let batch = Self.payment + "\n" + #"{"type":"trailer","recordCount":1,"totals":{"USD":"24.00"}}"#
    let enforced = try told(batch)
    #expect(enforced.exitCode == 2 && enforced.error.contains("batch.jsonl:2: error: CONTROL_TOTAL_MISMATCH: "))
    let warned = try told(batch, "--control-totals", "warn")
    #expect(warned.exitCode == 0, "\(warned.error)")
    #expect(warned.error.contains("batch.jsonl:2: warning: CONTROL_TOTAL_MISMATCH: the trailer sums 24.00 USD"))
    #expect(warned.error.hasSuffix("control totals mismatch\n"))
  }

  @Test("an invalid trailer does not hide errors of records")
  func invalidTrailer() throws {
    let batch = Self.payment.replacing("25.00", with: "0") + "\n" + #"{"type":"trailer","recordCount":"1","totals":{}}"#
    let found = try told(batch)
    #expect(found.exitCode == 2 && found.output.hasPrefix("batch.jsonl:1: error: AMOUNT_NOT_POSITIVE at /subTotal"))
    #expect(found.error.contains("batch.jsonl:2: error: INVALID_TRAILER: "), "\(found.error)")
  }
}
