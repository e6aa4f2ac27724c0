import ArgumentParser
import BatchRun
import Console
import JSON
import Reports
import Text

/// `settle schema`: the JSON Schema of a batch's records, or a description of the reports' CSV files.
struct Schema: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a batch's records, or describe the reports' columns.",
    discussion: """
      Draft 2020-12, one record. Every valid record passes it; what is wrong in its structure or in a value's type or \
      form fails it. What a schema cannot say (fields given twice, sums, fees, decimals of a currency, what concerns \
      several records), settle validate checks.

      With --reports, a Frictionless Data Package of the CSV files of a directory of reports: what each column says and \
      its type. Amounts are exact decimals, keys and accounts text.

      EXAMPLES:
        settle schema > batch.schema.json
        settle schema --reports > datapackage.json
      """)

  @Flag(help: "Describe the CSV files of reports.")
  var reports = false

  func execute() throws(RunFailure) -> Int32 {
    guard reports else {
      try Terminal.emit(PackageResources.batch_schema_json)
      return 0
    }
    try Terminal.emit([TextBuffer.string { ReportKind.dataPackage(version: BatchRun.version).write(to: &$0) }])
    return 0
  }
}
