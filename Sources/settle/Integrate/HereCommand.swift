import ArgumentParser
import Console
import Failures
import FileSystem
import Import
import Money
import Settlement

/// `settle here`: tries out what programs that call the PayPal Here app get back.
struct HereCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "here",
    abstract: "Show what the PayPal Here app calls back.",
    discussion: """
      EXAMPLES:
        settle here response "$URL" --type SWIPE --tip 2.00
      """,
    subcommands: [HereResponseCommand.self])
}

/// `settle here response`: the URL that the app would call back.
struct HereResponseCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "response",
    abstract: "Print what the PayPal Here app would call back.",
    discussion: """
      Prints the URL's returnUrl with the values filled in, or an empty line if it has no returnUrl. Without --type \
      the payment was cancelled. Number and total come from the invoice.

      Errors in a URL are written to standard error, as by settle import. Ends with 0, or with 1 if a URL is wrong.

      EXAMPLES:
        settle here response "$URL" --type SWIPE --tip 2.00 --email ann@mail.example
        settle here response - < urls.txt
      """)

  @Argument(help: ArgumentHelp("The URL that the app is called with; - reads one a line from standard input."))
  var url: String

  @Option(help: ArgumentHelp("How the buyer pays, such as SWIPE.", valueName: "type"))
  var type: String?

  @Option(help: ArgumentHelp("What the buyer gives beyond the total.", valueName: "amount"))
  var tip: String?

  @Option(name: .customLong("invoice-id"), help: ArgumentHelp("PayPal's id of the invoice.", valueName: "id"))
  var invoiceID: String?

  @Option(name: .customLong("tx-id"), help: ArgumentHelp("PayPal's id of the transaction.", valueName: "id"))
  var transactionID: String?

  @Option(help: ArgumentHelp("Where the buyer's receipt goes.", valueName: "address"))
  var email: String?

  @OptionGroup var log: LogOptions

  private static let tipFault = "--tip takes an amount of the invoice's currency, zero or more, like 2.00."

  func validate() throws {
    guard let tip else { return }
    if DecimalLimits.decimal(Array(tip.utf8)).map({ $0 < .zero }) ?? true { throw ValidationError(Self.tipFault) }
  }

  func execute() throws(Failure) -> Int32 {
    var told: [HereValue: String]?
    if let type {
      told = [.type: type]
      told?[.tip] = tip
      told?[.invoiceID] = invoiceID
      told?[.transactionID] = transactionID
      told?[.email] = email
    }
    var findings = ImportFindings()
    findings.begin(OutputPlace.shown("-"))
    var isTipWrong = false
    var responses: [UInt8] = []
    func add(_ finding: RequestFinding) {
      if finding.field == "response.Tip" { isTipWrong = true } else { findings.add(finding) }
    }
    if url == "-" {
      guard let text = try WholeFile.read("-", what: "the URLs", limit: Import.largestFile) else {
        throw .unreadable("standard input is over 256 MiB")
      }
      HereResponse.read(text, told, tell: add) { responses += $0 + "\n".utf8 }
    } else if let response = HereResponse.one(for: url.utf8, told, tell: add) {
      responses = response + "\n".utf8
    }
    findings.end()
    if isTipWrong { throw .usage(Self.tipFault) }
    try Terminal.emit(responses)
    return findings.faults == 0 ? 0 : 1
  }
}
