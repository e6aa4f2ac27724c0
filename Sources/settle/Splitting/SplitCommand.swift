import ArgumentParser
import Console
import ExactArithmetic
import Failures
import FileSystem
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

  @Argument(help: ArgumentHelp("A party and what it gets.", valueName: "name:terms"))
  var parties: [String] = []

  func validate() throws {
    if total == nil, currency == nil, parties.isEmpty { return }
    guard total != nil, currency != nil, !parties.isEmpty else {
      throw ValidationError(
        "Give --total, --currency and the parties together; without all of them JSON lines are read.")
    }
    _ = try parties.map(Self.term)
  }

  func execute() throws(Failure) -> Int32 {
    guard let total, let currency else { return try divideLines() }
    let terms = parties.compactMap { try? Self.term($0) }
    let division: JSONTree = [
      "amount": .string(total), "currency": .string(currency), "terms": .array(terms),
    ]
    let parts: [ExactDecimal]
    do throws(DivisionError) {
      try DivisionLine.expectKeysOnce(division)
      parts = try SplitDivision(division).parts()
    } catch {
      Log.error("\(error)")
      return 1
    }
    var text = TextBuffer()
    text.append("name,part\n")
    for (term, part) in zip(terms, parts) {
      CSV.append(term["name"]?.string ?? "", to: &text)
      text.append(",\(part)\n")
    }
    try Terminal.emit(text.span)
    return 0
  }

  /// A party's terms as an object of a line; throws if they are not written correctly.
  private static func term(_ text: String) throws -> JSONTree {
    guard let colon = text.lastIndex(of: ":") else {
      throw ValidationError("\(OutputPlace.shown(text)) has no terms; expected NAME:TERMS.")
    }
    var fields: [(String, JSONTree)] = [("name", .string(String(text[..<colon])))]
    let terms = text[text.index(after: colon)...]
    if terms == "rest" { return .object(fields + [("rest", .boolean(true))]) }
    for pair in terms.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["subtotal", "percent", "share", "min", "max"].contains(parts[0]) else {
        throw ValidationError(
          "\(OutputPlace.shown(text)): expected rest, or KEY=VALUE of subtotal, percent, share, min and max.")
      }
      fields.append((parts[0], .string(parts[1])))
    }
    return .object(fields)
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
