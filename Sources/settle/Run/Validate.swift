import ArgumentParser
import Console
import Failures
import Glibc
import Logging
import Documents
import Rules
import Settlement

/// `settle validate`: checks a batch without settling it.
struct Validate: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a batch without settling it.",
    discussion: """
      Prints each error on its own line, with --notices each notice too, and the counts by code and of records on \
      standard error. With --ledger, a payment that an earlier run settled is an error, too, and so is a batch id under which an earlier \
      run settled other content.

      EXAMPLES:
        settle validate export.jsonl
        settle validate export.jsonl --notices --max-findings 20
        settle validate export.jsonl --format jsonl | jq -r .code | sort | uniq -c
        settle validate export.jsonl --format sarif > findings.sarif
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var threads: ThreadOption

  @Option(
    help: """
      How the findings look: text, jsonl with one JSON object a line, github with workflow commands, or sarif with one \
      SARIF 2.1.0 log.
      """)
  var format: FindingsReport.Format = .text

  @Flag(help: "List notices too. They are counted in any case.")
  var notices = false

  @Option(
    help: ArgumentHelp(
      "List at most this many findings, but count all. Default: 1000 as text, else all.", valueName: "n"))
  var maxFindings: Int?

  @Option(help: ControlTotalsPolicy.help) var controlTotals = ControlTotalsPolicy.enforce
  @OptionGroup var ledger: ReadLedgerOption
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let maxFindings, maxFindings < 0 { throw ValidationError("--max-findings takes 0 or more.") }
  }

  func execute() throws(Failure) -> Int32 {
    let findings = FindingsList(
      format, listsNotices: notices, limit: maxFindings ?? (format == .text ? 1000 : .max),
      isColored: Terminal.isColored(STDOUT_FILENO))
    var batch = Batch(
      self.batch.batch, options: rules.settlement(threads: threads.count, controlTotals: controlTotals))
    batch.progress = ProgressLine.forTerminal()
    do throws(Failure) {
      let result = try batch.validate(
        findings, ledger: { options throws(Failure) in try ledger.open(batch.files, &options, isExpected: false) },
        output: Terminal.write(_:))
      log(findings)
      if let mismatch = result.run.controlMismatch { Log.warning(mismatch) }
      log(result, findings)
      return result.exitCode
    } catch {
      if case .batch = error.kind { log(findings) }
      throw error
    }
  }

  /// Reports how many findings each code has, and how many are not listed.
  private func log(_ findings: FindingsList) {
    if findings.unlisted > 0 {
      Log.notice("\(findings.unlisted) more \(findings.unlisted == 1 ? "is" : "are") not listed (--max-findings)")
    }
    let unlistedNotices = findings.listsNotices ? 0 : findings.notices.reduce(0, +)
    if unlistedNotices > 0 {
      let verb = unlistedNotices == 1 ? "is" : "are"
      Log.notice("\(Terminal.count(unlistedNotices, "notice")) \(verb) not listed (--notices)")
    }
    // As JSON, the counts are part of the last line.
    guard Log.format == .text else { return }
    let rows = findings.counts.map { [$0.severity, $0.code, "\($0.count)"] }
    guard !rows.isEmpty else { return }
    for line in Table.lines(["severity", "code", "count"], rows, texts: 2) { Log.notice(line) }
  }

  private func log(_ result: BatchResult, _ findings: FindingsList) {
    let totals = result.run.totals
    ClosingTable.warnOfCards(result)
    let counts = Dictionary(grouping: findings.counts, by: \.severity).map { severity, counts in
      (
        severity + "s",
        Logger.MetadataValue.dictionary(
          Dictionary(uniqueKeysWithValues: counts.map { ($0.code, .stringConvertible($0.count)) }))
      )
    }
    Log.logger.notice(
      """
      \(Terminal.count(totals.recordsRead, "record")): \(totals.recordsRead - totals[.rejected]) valid, \
      \(totals[.rejected]) rejected with \(Terminal.count(totals.errors.reduce(0, +), "error")); \
      control totals \(result.controlTotals.rawValue)
      """, metadata: Dictionary(uniqueKeysWithValues: counts))
  }
}

extension FindingsReport.Format: ExpressibleByArgument {}

extension FindingsList {
  /// The number of findings for each code that has any, errors first.
  fileprivate var counts: [(severity: String, code: String, count: Int)] {
    let errors = RejectionReason.allCases.map { ("error", $0.code.description, self.errors[Int($0.rawValue)]) }
    let notices = Notice.allCases.map { ("notice", $0.code.description, self.notices[Int($0.number)]) }
    return (errors + notices).filter { $0.2 > 0 }
  }
}
