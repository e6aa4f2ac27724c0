import BatchRun
import ExactArithmetic
import Money
import Payments
import Settlement

/// What `--metrics` tells of a run, in the text format of Prometheus: one sample a line, a family with its help and type.
///
/// All families are gauges of the last run. What a failed run does not know is left out.
struct MetricsText {
  /// What is to be told.
  struct State {
    var exitCode: Int32
    var duration: Seconds
    /// When the run ended, in seconds since 1970.
    var endTime: Int
    /// When a run last published its reports, in seconds since 1970; nil where none is known to have.
    var lastSuccess: Int?
    /// What became of the batch; nil where the run failed before that was known.
    var result: RunResult?
  }

  /// The sample that outlives failed runs.
  static let lastSuccessName = "settle_last_success_timestamp_seconds"

  /// What a file with metrics of settle may begin with.
  static let starts = ["# HELP settle_", "# TYPE settle_", "settle_"]

  private var text = ""

  /// The whole file.
  static func text(_ state: State) -> String {
    var metrics = MetricsText()
    metrics.add(state)
    if let result = state.result { metrics.add(result) }
    return metrics.text
  }

  private mutating func add(_ state: State) {
    let isSuccess = state.exitCode == 0 || state.exitCode == 1
    family("settle_build_info", "The engine that ran last.", [([("version", BatchRun.version)], "1")])
    if let lastSuccess = state.lastSuccess {
      family(Self.lastSuccessName, "When a run last published its reports.", [([], "\(lastSuccess)")])
    }
    family("settle_last_run_timestamp_seconds", "When the last run ended.", [([], "\(state.endTime)")])
    family("settle_last_run_duration_seconds", "How long the last run took.", [([], "\(state.duration)")])
    family("settle_last_run_success", "Whether the last run published its reports.", [([], isSuccess ? "1" : "0")])
    family("settle_last_run_exit_code", "The exit code of the last run.", [([], "\(state.exitCode)")])
  }

  private mutating func add(_ result: RunResult) {
    let totals = result.totals
    family(
      "settle_last_run_stored_bytes", "The bytes of the batch's files as stored.",
      [([], "\(result.files.reduce(0) { $0 + $1.bytes })")])
    family("settle_last_run_text_bytes", "The bytes of the batch's text.", [([], "\(result.textBytes)")])
    family(
      "settle_last_run_records", "The records of the batch by outcome.",
      Outcome.allCases.map { ([("outcome", Self.name($0))], "\(totals[$0])") })
    family(
      "settle_last_run_control_totals", "How the trailer compares with what was read.",
      [ControlTotalsState.verified, .mismatch, .absent].map {
        ([("state", $0.rawValue)], $0 == result.controlTotals ? "1" : "0")
      })
    family("settle_last_run_receivers", "Accounts and currencies that received money.", [([], "\(result.accounts)")])
    family(
      "settle_last_run_errors", "Errors of rejected records by code.",
      RejectionReason.allCases.map { ($0.code, totals.errors[Int($0.rawValue)]) }.filter { $0.1 > 0 }
        .map { ([("code", $0.0.description)], "\($0.1)") })
    family(
      "settle_last_run_notices", "Notices of records that were not rejected, by code.",
      Notice.allCases.map { ($0.code, totals.notices[Int($0.rawValue)]) }.filter { $0.1 > 0 }
        .map { ([("code", $0.0.description)], "\($0.1)") })
    add(zip(Currency.all, totals.currencies).filter { $0.1.records > 0 })
  }

  private mutating func add(_ currencies: [(Currency, CurrencyTotals)]) {
    family(
      "settle_last_run_payments", "Settled payments by currency.",
      currencies.map { ([("currency", $0.0.code)], "\($0.1.payments)") })
    family(
      "settle_last_run_settled_amount", "Sums of settled payments by currency, as in totals.csv.",
      currencies.flatMap { currency, sums in
        [
          ("sender_amount", sums.senderAmount), ("sender_fees", sums.senderFees), ("receiver_net", sums.receiverNet),
          ("fees", sums.fees),
        ].map { ([("currency", currency.code), ("figure", $0.0)], $0.1.description) }
      })
    family(
      "settle_last_run_control_amount", "Sums of control amounts by currency and outcome, as in control.csv.",
      currencies.flatMap { currency, sums in
        Outcome.allCases.map { ([("currency", currency.code), ("outcome", Self.name($0))], sums[$0].description) }
      })
  }

  private static func name(_ outcome: Outcome) -> String { outcome.name.description.lowercased() }

  /// A family of samples; none where there are none. Labels are codes and words, which need no escapes.
  private mutating func family(
    _ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: String)]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
    }
  }
}
