import ArgumentParser
import BatchRun

/// `settle schema`: the JSON Schema of a batch's records.
struct Schema: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a batch's records.",
    discussion: """
      Draft 2020-12, one record. Every valid record passes it; what is wrong in its structure or in a value's type or \
      form fails it. What a schema cannot say (fields given twice, sums, fees, decimals of a currency, what concerns \
      several records), settle validate checks.

      EXAMPLES:
        settle schema > batch.schema.json
      """)

  func execute() throws(RunFailure) -> Int32 {
    try Terminal.emit(PackageResources.batch_schema_json)
    return 0
  }
}
