import Ledger
import Payouts

/// Reads returns and notifications of change from NACHA files.
struct NACHAReader {
  private typealias Entry = NACHALayout.Entry

  private static let dollars = Array("USD".utf8)

  private let intake: AnswerIntake
  private let format: Int
  private var line = NACHARecord()
  private var controls = NACHAControls()
  private var day: Int?
  private var accounts = OwnAccount.any
  /// Whether the batch is that of the debtor's company.
  private var isOwnBatch = false

  /// The entry whose addenda follow.
  private var entry = NACHARecord()
  private var entryLine: Int?
  private var returnReasons: [[UInt8]] = []
  /// The digits of the bank that sent it back, in its first addenda.
  private var returningBank: [UInt8]?
  private var changes: [(reason: [UInt8], corrected: [UInt8])] = []

  /// Whether a file begins with `1` or `6` and nine digits or spaces, or with `5` and three digits.
  static func begins(_ source: AnswerSource) -> Bool {
    let text = source.head[source.start...].prefix(10)
    let isDigit = { (byte: UInt8) in byte &- 0x30 < 10 }
    return switch text.first {
    case 0x31, 0x36: text.count == 10 && text.dropFirst().allSatisfy { isDigit($0) || $0 == 0x20 }
    case 0x35: text.count >= 4 && text.prefix(4).allSatisfy(isDigit)
    default: false
    }
  }

  static func read(
    _ source: AnswerSource, into intake: AnswerIntake, format: Int
  ) throws(ReadingStop) -> AnswerFile.Content {
    var reader = NACHAReader(intake: intake, format: format)
    var lines = try NACHALines(source)
    while try lines.next() {
      do throws(AnswerFault) { try reader.read(lines) } catch { throw .fault(error) }
    }
    reader.finishEntry()
    reader.controls.endFile()
    return AnswerFile.Content(
      format: format, controls: reader.controls.state, disagreement: reader.controls.disagreement)
  }

  private init(intake: AnswerIntake, format: Int) { (self.intake, self.format) = (intake, format) }

  private mutating func read(_ lines: NACHALines) throws(AnswerFault) {
    guard line.read(lines.line), !lines.isTooLong else {
      throw AnswerFault(
        line: lines.number, code: .achLine,
        message: "the line has more than \(NACHALayout.lineLength) characters; expected only spaces after them")
    }
    switch line.digit {
    case NACHALayout.FileHeader.digit:
      finishEntry()
      controls.beginFile(line: lines.number)
      day = Self.day(line)
    case NACHALayout.BatchHeader.digit:
      finishEntry()
      controls.beginBatch(isAdvice: line[NACHALayout.BatchHeader.serviceClass].elementsEqual("280".utf8))
      let company = line.text(NACHALayout.BatchHeader.company)
      (accounts, isOwnBatch) = (intake.own.currencies(company: company), intake.own.isOwn(company: company))
    case Entry.digit: beginEntry(lines.number)
    case NACHALayout.Addenda.digit: try readAddenda(lines)
    case NACHALayout.BatchControl.digit:
      finishEntry()
      controls.compareBatch(line, line: lines.number)
      (accounts, isOwnBatch) = (OwnAccount.any, false)
    case NACHALayout.FileControl.digit where Self.isFiller(lines.line): break
    case NACHALayout.FileControl.digit:
      finishEntry()
      controls.compareFile(line, line: lines.number)
      (accounts, isOwnBatch) = (OwnAccount.any, false)
    default:
      if line.columns.allSatisfy({ AnswerSource.isSpace($0) }) { return }
      throw AnswerFault(
        line: lines.number, code: .achRecord, message: "expected a record that begins with 1, 5, 6, 7, 8 or 9")
    }
  }

  /// Whether a line is nines only, which fill a block.
  private static func isFiller(_ line: ArraySlice<UInt8>) -> Bool {
    NACHARecord.trimmed(line).allSatisfy { $0 == NACHALayout.FileControl.digit }
  }

  /// The creation date of a file header, if there is such a day.
  private static func day(_ header: NACHARecord) -> Int? {
    guard let number = header.number(NACHALayout.FileHeader.creationDate) else { return nil }
    let parts = [number / 10_000, number / 100 % 100, number % 100].map { "\($0 < 10 ? "0" : "")\($0)" }
    return Array("20\(parts.joined(separator: "-"))".utf8).dayNumber
  }

  private mutating func beginEntry(_ number: Int) {
    finishEntry()
    swap(&entry, &line)
    entryLine = number
    controls.addEntry(
      bank: entry.number(Entry.routingDigits), code: entry[Entry.transactionCode].last!,
      amount: entry.number(Entry.amount))
  }

  private mutating func readAddenda(_ lines: NACHALines) throws(AnswerFault) {
    guard entryLine != nil else {
      throw AnswerFault(line: lines.number, code: .achRecord, message: "expected an entry before its addenda")
    }
    controls.addAddenda()
    typealias Field = NACHALayout.Addenda
    // Half a code could be one that is booked, in place of one that a person must look at.
    guard line.count >= Field.reason.range.upperBound else {
      throw AnswerFault(
        line: lines.number, code: .achLine,
        message: "the addenda ends before its code is complete; get the whole file from the bank")
    }
    switch line.number(Field.type) {
    case 99:
      returnReasons.append(line.text(Field.reason))
      returningBank = returningBank ?? Array(line[Field.bank])
    case 98: changes.append((line.text(Field.reason), line.characters(Field.corrected)))
    default: break
    }
  }

  private mutating func finishEntry() {
    guard let number = entryLine else { return }
    entryLine = nil
    defer {
      returningBank = nil
      if !returnReasons.isEmpty { returnReasons.removeAll(keepingCapacity: true) }
      if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    }
    let code = entry.number(Entry.transactionCode) ?? 0
    guard !controls.hasAdviceEntries else { return intake.skip() }
    if !returnReasons.isEmpty || !changes.isEmpty, [21, 22, 31, 32].contains(code) { return answer(number) }
    if returnReasons.isEmpty, changes.isEmpty, [27, 37].contains(code), isOwnBatch { return answerDebit(number) }
    intake.skip()
  }

  /// Adds a return or a change.
  private func answer(_ number: Int) {
    let isReturn = !returnReasons.isEmpty
    var draft = draft(isReturn ? .return : .change, number, isReturn ? "RETURN" : "CHANGE")
    let reference = entry.text(Entry.identification)
    if !reference.isEmpty { draft.references = [reference] }
    draft.reason = AnswerReason.deciding((isReturn ? returnReasons : changes.map(\.reason)).filter { !$0.isEmpty })
    if isReturn {
      draft.payee = payee
    } else {
      draft.corrected = (changes.first { $0.reason == draft.reason } ?? changes[0]).corrected
    }
    intake.add(draft, format: format)
  }

  /// Adds a debit of the own account that has the sum of a file.
  private func answerDebit(_ number: Int) {
    guard let day, let cents = entry.number(Entry.amount),
      case let files = intake.files?.nachaFiles(cents: cents, day: day) ?? [], !files.isEmpty
    else { return intake.skip() }
    var draft = draft(.debit, number, "DEBIT")
    draft.files = files
    intake.add(draft, format: format)
  }

  private func draft(_ kind: AnswerKind, _ number: Int, _ status: String) -> AnswerDraft {
    var draft = AnswerDraft(
      kind: kind, line: number, status: Array(status.utf8), sequence: intake.nextSequence())
    draft.amount = entry.number(Entry.amount).map { .cents($0) } ?? .text([])
    (draft.currency, draft.day, draft.accounts) = (Self.dollars, day, accounts)
    return draft
  }

  /// The bank account that the money went to; nil if the bank does not say it, or hides some of its digits.
  private var payee: BankAccountDigest? {
    let account = entry.characters(Entry.accountNumber).filter { $0 != 0x20 }
    guard let returningBank, let routing = BankAccount.routing(returningBank),
      !account.contains(where: { [UInt8(ascii: "X"), UInt8(ascii: "x"), UInt8(ascii: "*")].contains($0) })
    else { return nil }
    return BankAccountDigest(.ach, number: account, bank: routing)
  }
}
