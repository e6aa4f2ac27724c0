import BatchRun
import LedgerRuns
import Failures
import Ledger
import Money
import Payouts
import Reports
import Text

/// The files of answers, each read once, and what is written of them.
struct AnswerReading {
  let files: [AnswerFile]
  let debtor: ReadFile<DebtorFile>?
  private let intake: AnswerIntake

  init(_ paths: [String], debtor path: String?, _ payouts: KnownPayouts) throws(Failure) {
    // First, because the own account is compared while answers are read.
    let debtor = path.map(DebtorFile.read)
    let intake = AnswerIntake(payouts, own: OwnAccount(debtor: debtor?.content.debtor))
    files = paths.enumerated().map { AnswerFile.read($1, number: $0, into: intake) }
    (self.debtor, self.intake) = (debtor, intake)
    if let failure = files.lazy.compactMap(\.failure).first ?? debtor?.failure { throw failure }
  }

  /// What is wrong with the files, once the ledger is asked for the rows of lists; nil if nothing is.
  func faults(_ ledger: LedgerSearch) throws(Failure) -> [FileFaults]? {
    var files = files
    if files.contains(where: { $0.content?.format == Int(AnswerFormat.csv) }) {
      let matching = try matching(ledger, nil)
      try matching.match()
      for (file, faults) in matching.faults { for fault in faults { files[file].content?.faults.add(fault) } }
    }
    let faults =
      files.compactMap(\.faults)
      + [debtor?.content.fault.map { FileFaults(debtor!.shown, $0) }].compactMap(\.self)
    return faults.isEmpty ? nil : faults
  }

  private func matching(_ ledger: LedgerSearch, _ tables: AnswerTables?) throws(Failure) -> AnswerMatching {
    let lookup = try ledger.reading.paymentLookup()
    return AnswerMatching(intake, lookup, tables: tables)
  }

  /// Writes all files except `SHA256SUMS`.
  ///
  /// - Parameter names: the names that the files are given; nil for their own.
  func write(
    _ ledger: LedgerSearch, names: [String]? = nil, makeFile: TableFile.Maker
  ) throws(Failure) -> ReturnsFigures {
    let names = names ?? files.map(\.shown)
    let tables = try AnswerTables(names: names, makeFile: makeFile)
    let matching = try matching(ledger, tables)
    try matching.match()
    try tables.finish()
    let said = ReturnsSummary(
      ledger: ledger.history.name.digits, payouts: intake.payouts.last, debtor: debtor?.stored,
      files: zip(files, names).map { $0.summary(name: $1) }, matching.counts)
    let summary = try makeFile(AnswerReport.summary.fileName)
    try summary.write { text in
      said.tree.write(to: &text)
      text.append("\n")
    }
    try summary.finish()
    return figures(matching.counts)
  }

  private func figures(_ counts: AnswerCounts) -> ReturnsFigures {
    ReturnsFigures(
      results: AnswerResult.allCases.compactMap { result in counts.results[result].map { (result, $0) } },
      codes: AnswerCode.allCases.compactMap { code in counts.codes[code].map { (code, $0) } },
      others: files.reduce(0) { $0 + $1.others },
      returned: counts.returned.sorted { $0.key < $1.key }.map { ($0.key, $0.value.payments, $0.value.amount) },
      disagreements: files.compactMap { file in
        file.content?.disagreement.map { "\(file.shown):\($0.line): \($0.text)" }
      })
  }
}

extension AnswerFile {
  func summary(name: String) -> ReturnsSummary.File {
    ReturnsSummary.File(
      name: name, bytes: stored.bytes, sha256: stored.sha256, format: AnswerFormat.all[content!.format].name,
      controls: content!.controls?.rawValue, answers: answers, others: others)
  }
}
