import Failures
import JSON
import Payouts
import Documents
import Ledger
import Text

/// The result of going through a directory of answers.
public struct ReturnsVerdict: VerifiedFolder {
  public let verdict: FolderVerdict
  /// The number of answers.
  public let answers: Int
  /// The number of payments that came back.
  public let returned: Int
}

/// Goes through a published directory of answers: digests and order, and whether reading the answers again gives the
/// same bytes.
public enum ReturnsVerification {
  /// Whether a directory belongs to answers; throws if it cannot be opened.
  public static func isReturns(_ path: String) throws(Failure) -> Bool { try ReportFolder(path: path).hasAnswers }

  /// Verifies a directory. What is wrong with it is the result, not a failure.
  ///
  /// - Parameters:
  ///   - ledger: the ledger of the payouts; nil to look only at the directory.
  ///   - answers: the files that were read, in the order given; empty to read none again.
  ///   - debtor: the debtor file, if it was given.
  public static func verify(
    _ path: String, ledger: String? = nil, answers: [String] = [], debtor: String? = nil
  ) throws(Failure) -> ReturnsVerdict {
    let audit = try ReturnsAudit(path: path)
    try audit.read()
    if let ledger, let said = audit.summary {
      let known = try LedgerReading.opened(ledger)
      try compare(audit, said, known, answers, debtor)
      try known.expectUnchanged()
    }
    return ReturnsVerdict(verdict: audit.files.verdict, answers: audit.answers, returned: audit.returned)
  }

  private static func compare(
    _ audit: ReturnsAudit, _ said: ReturnsSummary, _ known: LedgerReading, _ answers: [String], _ debtor: String?
  ) throws(Failure) {
    let name = known.history.name.digits
    if said.ledger != name {
      audit.log.add(
        AnswerReport.summary.fileName, field: "ledger", found: MessageText.identifier(said.ledger.utf8),
        expected: name, "the ledger has another name")
    }
    let payouts = AnswerablePayouts(
      known.history.payouts.filter { $0.number <= said.payouts }, givenUp: known.history.givenUp,
      name: known.history.name)
    if payouts.last != said.payouts {
      audit.log.add(
        AnswerReport.summary.fileName, field: "payouts", found: "\(said.payouts)", "the ledger has no such payout")
    }
    if answers.isEmpty || audit.log.count > 0 { return }
    guard (debtor != nil) == (said.debtor != nil) else {
      throw .usage("the answers were read with\(said.debtor == nil ? "out" : "") --debtor")
    }
    var reading = try AnswerReading(answers, debtor: debtor, known, payouts)
    reading.leaveOut(said.skipped)
    let areOthers = compareFiles(audit.log, reading, said)
    let faults = try reading.faults()
    if let fault = (faults.files.min { $0.key < $1.key }?.value ?? faults.debtor)?.listed.first {
      // Another file than the one that was read may have faults.
      if areOthers { return }
      throw .configuration("\(fault.file)\(fault.line.map { ":\($0)" } ?? ""): \(fault.text)")
    }
    let comparer = TableFile.comparer(
      with: audit.files.folder, audit.log, "what reading the answers again gives",
      summary: (AnswerReport.summary.fileName, said.json), isSecret: { $0 == AnswerReport.changes.fileName }
    ) { tree in
      var made = try? ReturnsSummary(reading: JSONNode(tree))
      made?.engine = said.engine
      return made?.json
    }
    _ = try reading.write(
      confirming: said.confirm?.period, names: areOthers ? nil : said.files.map(\.name), makeFile: comparer)
  }

  /// Compares the files with those that were read.
  ///
  /// - Returns: whether any is another one, which is a finding.
  private static func compareFiles(_ log: FindingLog, _ reading: AnswerReading, _ said: ReturnsSummary) -> Bool {
    let others = reading.files.indices.filter { place in
      said.files.indices.contains(place) ? said.files[place].sha256 != reading.files[place].stored.sha256 : true
    }
    for place in others {
      log.add(
        "",
        "file \(place + 1) is not the one that was read in its place, which may explain all that follows; give the same "
          + "files in the same order")
    }
    if others.isEmpty, reading.files.count < said.files.count {
      log.add("", "\(said.files.count) files were read; give all of them in the same order")
    }
    let isOtherDebtor = reading.debtor?.stored?.sha256 != said.debtor?.sha256
    if isOtherDebtor { log.add("", "the debtor file is not the one that was read") }
    return log.count > 0
  }
}
