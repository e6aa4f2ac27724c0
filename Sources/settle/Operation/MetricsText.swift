import BatchRun
import ExactArithmetic
import FoundationEssentials
import Ledger
import Money
import Payouts
import Postings
import Documents
import Returns
import Rules
import Settlement

/// The metrics of a run, a payout, answers or a verification: one sample a line; each family has its help and type.
///
/// The text is both the text format of Prometheus, to which `# EOF` is a comment, and OpenMetrics, which ends with it.
///
/// All families are gauges of the last run. What a failed run does not know is left out.
struct MetricsText {
  /// The possible beginnings of a file with metrics of settle.
  static let starts = ["# HELP settle_", "# TYPE settle_", "settle_"]

  /// Labels are codes and words, so nothing needs escaping.
  private typealias Sample = (labels: KeyValuePairs<String, String>, value: any CustomStringConvertible)

  private var text = ""

  /// The whole file.
  ///
  /// - Parameters:
  ///   - isLedgerNew: whether the run made a new ledger.
  ///   - isWitnessBehind: whether the ledger's witness could not be written; nil if it was not to be.
  ///   - seconds: how long the run took.
  ///   - endTime: when the run ended, in seconds since 1970.
  ///   - lastSuccess: when a run last published its reports; nil if no such run is known.
  ///   - result: the result of the batch; nil if the run did not settle it.
  static func text(
    exitCode: Int32, ending: RunEnding, isLedgerNew: Bool, isWitnessBehind: Bool? = nil, seconds: ExactDecimal,
    endTime: Int, lastSuccess: Int?, result: RunResult?
  ) -> String {
    var metrics = MetricsText()
    metrics.family("settle_build_info", "The engine that ran last.", [(["version": BatchRun.version], 1)])
    if let lastSuccess {
      metrics.gauge(MetricsFile.Kind.run.lastSuccessName, "When a run last published its reports.", lastSuccess)
    }
    metrics.gauge("settle_last_run_timestamp_seconds", "When the last run ended.", endTime)
    metrics.gauge("settle_last_run_duration_seconds", "How long the last run took.", seconds)
    metrics.gauge(
      "settle_last_run_success", "Whether the batch of the last run is settled and its reports are in place.",
      ending.isSuccess ? 1 : 0)
    metrics.gauge("settle_last_run_exit_code", "The exit code of the last run.", exitCode)
    metrics.family(
      "settle_last_run_outcome", "How the last run ended.",
      RunEnding.allCases.map { (["outcome": $0.rawValue], $0 == ending ? 1 : 0) })
    metrics.gauge("settle_ledger_new", "Whether the last run made a new ledger.", isLedgerNew ? 1 : 0)
    metrics.add(isWitnessBehind: isWitnessBehind)
    if let result { metrics.add(result) }
    return metrics.text + "# EOF\n"
  }

  /// The whole file of a verification. A collector reads it together with a run's, so no family is in both.
  ///
  /// - Parameters:
  ///   - findings: the number of findings; nil if the directory or the batch could not be read, likewise the payments.
  static func text(
    exitCode: Int32, endTime: Int, findings: Int?, payments: Int?
  ) -> String {
    var metrics = MetricsText()
    metrics.gauge("settle_last_verify_timestamp_seconds", "When reports were last verified.", endTime)
    metrics.gauge(
      "settle_last_verify_success", "Whether the last verification found nothing wrong.", exitCode == 0 ? 1 : 0)
    metrics.gauge("settle_last_verify_exit_code", "The exit code of the last verification.", exitCode)
    if let findings, let payments {
      metrics.gauge("settle_last_verify_findings", "What the last verification found wrong.", findings)
      metrics.gauge("settle_last_verify_payments", "The payments last verified.", payments)
    }
    return metrics.text + "# EOF\n"
  }

  /// The whole file of a payout.
  ///
  /// - Parameters:
  ///   - lastSuccess: when a payout was last made and published; nil if no such payout is known.
  ///   - missing: the number of payouts that the ledger lacks; nil if that is not known.
  ///   - gone: the number of recent payouts whose directories are gone; nil if that is not known.
  ///   - isWitnessBehind: whether the ledger's witness could not be written; nil if it was not to be.
  ///   - figures: the figures of the payout; nil if they are not known.
  static func text(
    exitCode: Int32, isSuccess: Bool, endTime: Int, lastSuccess: Int?, missing: Int?, gone: Int?,
    isWitnessBehind: Bool? = nil,
    figures: PayoutFigures?
  ) -> String {
    var metrics = MetricsText()
    metrics.gauge("settle_last_payout_timestamp_seconds", "When the last payout ended.", endTime)
    if let lastSuccess {
      metrics.gauge(
        MetricsFile.Kind.payout.lastSuccessName, "When a payout was last made and published.", lastSuccess)
    }
    metrics.gauge(
      "settle_last_payout_success", "Whether the last payout is made and its files are in place.", isSuccess ? 1 : 0)
    metrics.gauge("settle_last_payout_exit_code", "The exit code of the last payout.", exitCode)
    if let missing {
      metrics.gauge("settle_ledger_payouts_missing", "Payouts that exist and that the ledger lacks.", missing)
    }
    if let gone {
      metrics.gauge(
        "settle_payout_directories_missing",
        "Payouts of the last days whose directories are not where they were published.",
        gone)
    }
    metrics.add(isWitnessBehind: isWitnessBehind)
    if let figures { metrics.add(figures) }
    return metrics.text + "# EOF\n"
  }

  /// The whole file of reading answers.
  ///
  /// - Parameters:
  ///   - lastSuccess: when answers were last read and published; nil if that is not known.
  ///   - figures: the figures of the answers; nil if they could not be read.
  static func text(exitCode: Int32, endTime: Int, lastSuccess: Int?, figures: ReturnsFigures?) -> String {
    var metrics = MetricsText()
    metrics.gauge("settle_last_returns_timestamp_seconds", "When answers of banks were last read.", endTime)
    if let lastSuccess {
      metrics.gauge(
        MetricsFile.Kind.returns.lastSuccessName, "When answers of banks were last read and published.", lastSuccess)
    }
    metrics.gauge(
      "settle_last_returns_success", "Whether the last answers are read and their files are in place.",
      figures == nil ? 0 : 1)
    metrics.gauge("settle_last_returns_exit_code", "The exit code of the last answers.", exitCode)
    if let figures {
      metrics.family(
        "settle_last_returns_answers", "Answers by result.",
        AnswerResult.allCases.map { result in
          (["result": result.rawValue], figures.results.first { $0.result == result }?.count ?? 0)
        })
      metrics.family(
        "settle_last_returns_open", "Answers that someone must look at, by code.",
        AnswerCode.allCases.map { code in
          (["code": code.rawValue], figures.codes.first { $0.code == code }?.count ?? 0)
        })
      metrics.family(
        "settle_last_returns_payments", "The payments of the period by currency and state.",
        Set(figures.payments.map(\.currency)).sorted().flatMap { currency in
          PaymentState.allCases.map { state in
            let count = figures.payments.first { $0.currency == currency && $0.state == state }?.count ?? 0
            return (["currency": currency.code, "state": state.rawValue], count)
          }
        })
      metrics.gauge("settle_last_returns_others", "Answers about other payments than this ledger's.", figures.others)
      metrics.gauge(
        "settle_last_returns_mismatches", "Files whose control totals disagree.", figures.disagreements.count)
      metrics.gauge(
        "settle_last_returns_skipped", "Files with errors that were left out.", figures.leftOut.count)
    }
    return metrics.text + "# EOF\n"
  }

  private mutating func add(isWitnessBehind: Bool?) {
    guard let isWitnessBehind else { return }
    gauge(
      "settle_witness_behind", "Whether the last run or payout could not write the ledger's witness.",
      isWitnessBehind ? 1 : 0)
  }

  private mutating func add(_ figures: PayoutFigures) {
    gauge("settle_last_payout_number", "The number of the payout in the ledger.", figures.number)
    family(
      "settle_last_payout_payments", "Payments by currency.",
      figures.totals.map { (["currency": $0.currency.code], $0.instructions) })
    family(
      "settle_last_payout_amount", "Sums by currency, as in payouts.json.",
      figures.totals.flatMap { total in
        total.named.map { (["currency": total.currency.code, "figure": $0.name], $0.amount) }
      })
    family(
      "settle_last_payout_balances", "Balances that were not paid, by reason.",
      CarriedReason.allCases.compactMap { reason in
        let count = figures.reasons.first { $0.reason == reason }?.count
        return count == nil && reason.needsOption ? nil : (["reason": reason.rawValue], count ?? 0)
      })
    if let changed = figures.changedAccounts {
      gauge(
        "settle_last_payout_changed_accounts",
        "Payments to another bank account than the last one of their account and currency.", changed)
    }
    let oldest = figures.oldestDebt.flatMap { try? Date($0.time, strategy: .iso8601) }
    gauge(
      "settle_last_payout_oldest_debt_timestamp_seconds",
      "When the run that began the oldest debt was entered, 0 if no account owes.",
      Int(oldest?.timeIntervalSince1970 ?? 0))
  }

  private mutating func add(_ result: RunResult) {
    let totals = result.totals
    gauge(
      "settle_last_run_stored_bytes", "The bytes of the batch's files as stored.",
      result.files.reduce(0) { $0 + $1.bytes })
    gauge("settle_last_run_text_bytes", "The bytes of the batch's text.", result.textBytes)
    family(
      "settle_last_run_records", "The records of the batch by outcome.",
      Outcome.allCases.map { (["outcome": Self.name($0)], totals[$0]) })
    family(
      "settle_last_run_control_totals", "How the trailer compares with what was read.",
      [ControlTotalsState.verified, .mismatch, .absent].map {
        (["state": $0.rawValue], $0 == result.controlTotals ? 1 : 0)
      })
    gauge("settle_last_run_receivers", "Accounts and currencies that received money.", result.accounts)
    family(
      "settle_last_run_errors", "Errors of rejected records by code.",
      BatchResult(result).errors.map { (["code": $0], $1) })
    family(
      "settle_last_run_notices", "Notices of records that were not rejected, by code.",
      BatchResult(result).notices.map { (["code": $0], $1) })
    add(zip(Currency.all, totals.currencies).filter { $0.1.records > 0 })
    addRefunds(zip(Currency.all, totals.currencies).filter { $0.1.moved.refunds > 0 })
  }

  private mutating func add(_ currencies: [(Currency, CurrencyTotals)]) {
    family(
      "settle_last_run_payments", "Settled payments by currency.",
      currencies.map { (["currency": $0.code], $1.moved.payments) })
    family(
      "settle_last_run_settled_amount", "Sums of settled payments by currency, as in totals.csv.",
      Self.sums(TrialBalance.paymentPart, currencies))
    family(
      "settle_last_run_control_amount", "Sums of control amounts by currency and outcome, as in control.csv.",
      currencies.flatMap { currency, sums in
        Outcome.ofPayments.map { (["currency": currency.code, "outcome": Self.name($0)], sums[$0]) }
      })
  }

  private mutating func addRefunds(_ currencies: [(Currency, CurrencyTotals)]) {
    family(
      "settle_last_run_refunds", "Refunds by currency.", currencies.map { (["currency": $0.code], $1.moved.refunds) })
    family(
      "settle_last_run_refunded_amount", "Sums of refunds by currency, as in totals.csv.",
      Self.sums(TrialBalance.refundPart, currencies))
  }

  private static func sums(_ part: TrialBalance.Part, _ currencies: [(Currency, CurrencyTotals)]) -> [Sample] {
    currencies.flatMap { currency, sums in
      part.sums.map { figure in
        (
          ["currency": currency.code, "figure": TotalsReport.Column(figure).name], sums.moved[keyPath: figure.path]
        )
      }
    }
  }

  private static func name(_ outcome: Outcome) -> String { outcome.name.description.lowercased() }

  /// A family with one sample and no labels.
  private mutating func gauge(_ name: String, _ help: String, _ value: any CustomStringConvertible) {
    family(name, help, [([:], value)])
  }

  /// A family of samples; not written if there are no samples.
  private mutating func family(_ name: String, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
    }
  }
}

extension PayoutTotal {
  fileprivate var named: [(name: String, amount: ExactDecimal)] {
    func named(_ figures: [Figure<PayoutTotal, ExactDecimal>]) -> [(name: String, amount: ExactDecimal)] {
      figures.map { ($0.name, self[keyPath: $0.path]) }
    }
    let adjusted = (name: Self.adjustment.name, amount: self.adjusted ?? .zero)
    let held = Self.held.compactMap { figure in
      self[keyPath: figure.path].map { (name: figure.name, amount: $0) }
    }
    return named(Self.amountsBefore) + [adjusted] + named(Self.amountsAfter) + held
  }
}
