import BatchRun
import ArgumentParser
import Console
import Failures
import Documents
import Settlement

/// `settle schema`: the JSON Schema of a batch's records, or a description of the reports' or a payout's CSV files.
struct Schema: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a batch's records, or describe the columns of reports.",
    discussion: """
      Draft 2020-12, for one record. Every valid record passes it; a wrong structure or a wrong type or form of a \
      value fails it. What a schema cannot express (fields given twice, sums, fees, decimals of a currency, rules \
      about several records), settle validate checks.

      With --reports, a Frictionless Data Package of the CSV files in a directory of reports: the meaning and type of \
      each column. Amounts are exact decimals, keys and accounts text. A fee schedule with named fees adds fees.csv.

      With --payouts, the same for the directory of a payout. One with terms has more columns in carried.csv.

      EXAMPLES:
        settle schema > batch.schema.json
        settle schema --reports > datapackage.json
      """)

  @Flag(help: "Describe the CSV files of reports.")
  var reports = false

  @Flag(help: "Describe the CSV files of a payout.")
  var payouts = false

  @Flag(help: "The payout has terms.")
  var terms = false

  @Option(
    help: ArgumentHelp("The fee schedule of the reports.", valueName: "file"), completion: .file())
  var fees: String?

  func validate() throws {
    if fees != nil, !reports { throw ValidationError("--fees is for --reports.") }
    if terms, !payouts { throw ValidationError("--terms is for --payouts.") }
    if reports, payouts { throw ValidationError("--reports and --payouts describe different directories: give one.") }
  }

  func execute() throws(Failure) -> Int32 {
    let version = BatchRun.version
    switch (reports, payouts) {
    case (true, _):
      let showsNames = try RuleFile.readFees(fees).hasNames
      try Terminal.emit([ReportKind.dataPackage(version: version, showsNames: showsNames).description])
    case (_, true): try Terminal.emit([PayoutReport.dataPackage(version: version, hasTerms: terms).description])
    default: try Terminal.emit(PackageResources.batch_schema_json)
    }
    return 0
  }
}
