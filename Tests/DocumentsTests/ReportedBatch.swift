import Failures
import Rules
import TestSupport

@testable import Documents
import Text

/// The reports of a few records, written as a run writes them, one record after the other.
struct ReportedBatch {
  var settlement: [UInt8] = []
  var exceptions: [UInt8] = []
  var findings: [FindingsReport.Format: [UInt8]] = [:]
  var totals = ControlTotals()

  init(_ lines: [String], schedule: FeeSchedule = .published) {
    var settlementText = TextBuffer()
    var exceptionsText = TextBuffer()
    settlementText.append(ReportKind.settlement.header)
    exceptionsText.append(ReportKind.exceptions.header)
    let lists = FindingsReport.Format.allCases.map { FindingsList($0) }
    for list in lists { findings[list.format] = Self.bytes { list.begin(version: "1.2.3", to: &$0) } }
    var judge = RecordJudge(rules: SettlementRules(schedule: schedule), listsNotices: true)
    var offset = 0
    for (index, line) in lines.enumerated() {
      let memory = LineMemory(Array(line.utf8))
      guard judge.judge(memory.line, .inPlace) == .record else { continue }
      totals.count(&judge)
      if judge.judgement.outcome == .settled {
        SettlementReport.append(judge.judgement.entry, to: &settlementText)
      }
      Self.appendExceptions(judge.judgement, line: index + 1, offset: offset, to: &exceptionsText)
      for list in lists {
        findings[list.format, default: []] += Self.findings(judge.judgement, list, line: index + 1, offset: offset)
      }
      offset += line.utf8.count + 1
      withExtendedLifetime(memory) {}
    }
    settlement = Self.bytes(settlementText)
    exceptions = Self.bytes(exceptionsText)
    for list in lists {
      findings[list.format, default: []] += Self.bytes { text in
        list.append(BatchError(.trailerMissing, "there is none"), to: &text)
        list.append(BatchError(.invalidHeader, "it is not", file: "a,b:c.jsonl", line: 7), to: &text)
        list.end(exitCode: 2, isComplete: false, to: &text)
      }
    }
  }

  private static func appendExceptions(
    _ judgement: borrowing Judgement, line: Int, offset: Int, to text: inout TextBuffer
  ) {
    var message = TextBuffer()
    if judgement.outcome == .pending || judgement.outcome == .held {
      ExceptionsReport.appendPlace(file: Array("batch.jsonl".utf8), line: line, offset: offset, to: &text)
      ExceptionsReport.appendUnsettled(judgement, to: &text)
    }
    for finding in judgement.findings {
      ExceptionsReport.appendPlace(file: Array("batch.jsonl".utf8), line: line, offset: offset, to: &text)
      ExceptionsReport.append(finding, of: judgement, message: &message, to: &text)
    }
  }

  private static func findings(
    _ judgement: borrowing Judgement, _ list: FindingsList, line: Int, offset: Int
  ) -> [UInt8] {
    var text = TextBuffer()
    var row = TextBuffer()
    func appendRow() {
      list.append(
        row.span, file: list.file(Array("batch.jsonl".utf8)), line: line, offset: offset, to: &text)
      row.removeAll()
    }
    for finding in judgement.findings {
      FindingRow.append(finding, of: judgement, to: &row)
      appendRow()
    }
    for notice in judgement.notices {
      FindingRow.append(notice, of: judgement, to: &row)
      appendRow()
    }
    return bytes(text)
  }

  static func bytes(_ text: borrowing TextBuffer) -> [UInt8] {
    Array(text.span)
  }

  /// The text that a writer of a complete text writes.
  static func bytes(_ write: (inout TextBuffer) -> Void) -> [UInt8] {
    var text = TextBuffer(capacity: 1)
    write(&text)
    return bytes(text)
  }
}
