import Failures
import Payouts
import Documents
import Ledger

/// The files of answers, each read once, and what is written of them.
struct AnswerReading {
  let files: [AnswerFile]
  let debtor: ReadFile<DebtorFile>?
  /// The files with errors that are left out, by their places among those given.
  private var leftOut: [Int: FileFaults] = [:]
  /// How many files were left out; nil if none may be.
  private(set) var skipped: SkippedFiles?
  private let intake: AnswerIntake
  private let ledger: LedgerReading

  init(
    _ paths: [String], debtor path: String?, _ ledger: LedgerReading, _ payouts: AnswerablePayouts
  ) throws(Failure) {
    // First, because the own account is compared while answers are read.
    let debtor = path.map(DebtorFile.read)
    let known = ledger.history.payouts.filter { payouts.has(payout: $0.number) }
    let intake = AnswerIntake(
      payouts, own: OwnAccount(debtor: debtor?.content.debtor),
      files: BankFilePayments(known, try ledger.payoutLookup()))
    files = paths.enumerated().map { AnswerFile.read($1, number: $0, into: intake) }
    (self.debtor, self.intake, self.ledger) = (debtor, intake, ledger)
    if let failure = files.lazy.compactMap(\.failure).first ?? debtor?.failure { throw failure }
  }

  /// What is wrong with the files, by their places, and with the debtor file.
  func faults() throws(Failure) -> (files: [Int: FileFaults], debtor: FileFaults?) {
    var files = files
    try ListRows.forEachFault(intake, ledger) { file, fault in files[file].content?.faults.add(fault) }
    let faults = files.enumerated().compactMap { place, file in file.faults.map { (place, $0) } }
    return (
      Dictionary(uniqueKeysWithValues: faults), debtor?.content.fault.map { FileFaults(debtor!.shown, $0) }
    )
  }

  /// Leaves out files, given by their places.
  mutating func leaveOut(_ faults: [Int: FileFaults]) {
    leftOut = faults
    skipped = SkippedFiles(files.indices.filter { faults[$0] != nil }.map { files[$0] })
  }

  /// Takes from a directory how many files were left out.
  mutating func leaveOut(_ skipped: SkippedFiles?) { self.skipped = skipped }

  /// Writes all files except `SHA256SUMS`.
  ///
  /// - Parameters:
  ///   - period: the payments to list; nil for none.
  ///   - names: the names that the files are given; nil for their own.
  func write(
    confirming period: ConfirmedPeriod?, names: [String]? = nil, makeFile: TableFile.Maker
  ) throws(Failure) -> ReturnsFigures {
    let names = names ?? files.map(\.shown)
    let tables = try AnswerTables(names: names, hasPayments: period != nil, makeFile: makeFile)
    let matching = try AnswerMatching(
      intake, ledger, leftOut: Set(leftOut.keys), lacksAnswers: (skipped?.others ?? 0) > 0)
    let counts = try AnswerWriting(matching: matching, ledger: ledger, tables: tables).write(confirming: period)
    try tables.finish()
    let summaries = read.map { files[$0].summary(name: names[$0], dropped: matching.dropped[$0] ?? 0) }
    let said = ReturnsSummary(
      ledger: ledger.history.name.digits, payouts: intake.payouts.last, debtor: debtor?.stored, files: summaries,
      skipped: skipped, counts,
      confirming: period)
    let summary = try makeFile(AnswerReport.summary.fileName)
    try summary.write { text in
      said.json.write(to: &text)
      text.append("\n")
    }
    try summary.finish()
    return figures(counts, dropped: matching.dropped.values.reduce(0, +))
  }

  /// The places of the files that are not left out.
  private var read: [Int] { files.indices.filter { leftOut[$0] == nil } }

  private func figures(_ counts: AnswerCounts, dropped: Int) -> ReturnsFigures {
    ReturnsFigures(
      results: AnswerResult.allCases.compactMap { result in counts.results[result].map { (result, $0) } },
      codes: AnswerCode.allCases.compactMap { code in counts.codes[code].map { (code, $0) } },
      others: read.reduce(dropped) { $0 + files[$1].others },
      returned: counts.returned.sorted { $0.key < $1.key }.map { ($0.key, $0.value.payments, $0.value.amount) },
      payments: counts.payments.map { ($0, $1, $2.payments, $2.amount) },
      disagreements: read.compactMap { place in
        let file = files[place]
        return file.content?.disagreement.map { "\(file.shown):\($0.line): \($0.text)" }
      },
      leftOut: leftOut.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension AnswerFile {
  /// - Parameter dropped: the answers that turned out to be about another ledger.
  func summary(name: String, dropped: Int) -> ReturnsSummary.File {
    ReturnsSummary.File(
      name: name, bytes: stored.bytes, sha256: stored.sha256, format: AnswerFormat.all[content!.format].name,
      controls: content!.controls?.rawValue, answers: answers - dropped, others: others + dropped)
  }
}
