import Failures
import Ledger
import Payouts
import Text

/// A list of returned payments that was made by hand: `reference,reason` (`payouts.md`, Returned).
final class AnswerList: RecordFile {
  static let columns = ReturnedFile.columns
  static let headerFault = ReturnedFile.headerFault

  private(set) var faults = InputFaults()
  private var take: (AnswerDraft) -> Void = { _ in }
  private var nextSequence: () -> Int = { 0 }

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }
  func finish() {}

  func read(_ record: borrowing CSVRecord, line: Int) {
    let isReason = ListedWord.isValid(record[1])
    if !isReason { note(InputFault(line: line, column: 1, code: record[1].isEmpty ? .missingField : .invalidValue)) }
    guard PaymentReference(record[0]) != nil else {
      return note(InputFault(line: line, column: 0, code: record[0].isEmpty ? .missingField : .invalidReference))
    }
    var draft = AnswerDraft(kind: .return, line: line, status: Array("RETURN".utf8), sequence: nextSequence())
    draft.references = [[UInt8](record[0])]
    (draft.reason, draft.lacksReason) = (isReason ? [UInt8](record[1]) : nil, !isReason)
    take(draft)
  }

  /// Whether the first record is the header.
  static func begins(_ source: AnswerSource) -> Bool {
    let line = source.head[source.start...].prefix { $0 != 0x0A }
    let text = line.last == 0x0D ? line.dropLast() : line
    var record = CSVRecord()
    return record.split(text.span) && record.strings == columns
  }

  static func read(
    _ source: AnswerSource, into intake: AnswerIntake, format: Int
  ) throws(ReadingStop) -> AnswerFile.Content {
    let list = AnswerList()
    list.take = { intake.add($0, format: format) }
    list.nextSequence = intake.nextSequence
    var content = AnswerFile.Content(format: format)
    let lines = InputLines(source.file, head: source.head, shown: source.shown)
    do throws(Failure) {
      if try list.readRecords(lines) { content.stored = lines.finish() }
    } catch {
      throw .failed(error)
    }
    content.faults = list.faults
    return content
  }
}
