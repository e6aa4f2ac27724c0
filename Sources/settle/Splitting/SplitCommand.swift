import ArgumentParser
import Console
import ExactArithmetic
import Failures
import JSON
import LedgerRuns
import Text

/// `settle split`: divides totals, without a batch.
struct SplitCommand: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Divide a total among parties, or many totals as JSON lines.",
    discussion: """
      Prints name and part as CSV. TERMS are rest (what is left), or KEY=VALUE,... with subtotal (an amount), percent \
      (of the total), share (a weight in what is left), min and max. Parts are computed exactly and rounded once; \
      missing minor units go to the largest fractions cut off.

      Without arguments it reads JSON lines from standard input and writes one object for each, also by the conventions of \
      other libraries ("convention").

      Ends with 0, or with 1 if something cannot be divided.

      EXAMPLES:
        settle split --total 100.00 --currency USD agent:percent=12.5 post:subtotal=20 alto:share=1 cello:share=2
        settle split --total 19.99 --currency EUR market:rest seller:percent=90
        settle split < divisions.jsonl
      """)

  @Option(help: ArgumentHelp("What is divided.", valueName: "amount"))
  var total: String?

  @Option(help: ArgumentHelp("The currency, whose decimals the parts have.", valueName: "code"))
  var currency: String?

  @Argument(help: ArgumentHelp("A party and what it gets.", valueName: "name:terms"), transform: SplitTerm.parsed)
  var parties: [SplitTerm] = []

  func validate() throws {
    if total == nil, currency == nil, parties.isEmpty { return }
    guard total != nil, currency != nil, !parties.isEmpty else {
      throw ValidationError(
        "Give --total, --currency and the parties together; without all of them JSON lines are read.")
    }
  }

  func execute() throws(Failure) -> Int32 {
    guard let total, let currency else { return try divideLines() }
    let division: JSONTree = [
      "amount": .string(total), "currency": .string(currency), "terms": .array(parties.map(\.tree)),
    ]
    let parts: [ExactDecimal]
    do throws(DivisionError) {
      try DivisionLine.expectKeysOnce(division)
      parts = try SplitDivision(JSONNode(division)).parts()
    } catch {
      Log.error("\(error)")
      return 1
    }
    var text = TextBuffer()
    text.append("name,part\n")
    for (party, part) in zip(parties, parts) {
      CSV.append(party.name, to: &text)
      text.append(",\(part)\n")
    }
    try Terminal.emit(text.span)
    return 0
  }

  private func divideLines() throws(Failure) -> Int32 {
    var hasError = false
    var text = TextBuffer()
    try BatchReading.forEachRecord(["-"]) { record throws(Failure) in
      text.removeAll(keeping: 1 << 16)
      hasError = DivisionLine.divide(record, into: &text) || hasError
      text.append("\n")
      try Terminal.emit(text.span)
    }
    return hasError ? 1 : 0
  }
}
