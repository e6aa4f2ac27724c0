import Input
import Rules
import TestSupport

@testable import Reports
import Text

/// The reports of a few records, each written as a run writes it, one record after the other.
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
    var findingsTexts: [FindingsReport.Format: [UInt8]] = [.text: [], .jsonl: []]
    var assessor = RecordAssessor(schedule: schedule, listsNotices: true)
    var offset = 0
    for (index, line) in lines.enumerated() {
      let memory = LineMemory(Array(line.utf8))
      guard assessor.assess(memory.bytes, count: memory.count) == .record else { continue }
      totals.count(assessor)
      if assessor.outcome == .settled {
        SettlementReport.append(assessor.entry, to: &settlementText)
      }
      Self.appendExceptions(&assessor, line: index + 1, offset: offset, to: &exceptionsText)
      for format in FindingsReport.Format.allCases {
        findingsTexts[format, default: []] += Self.findings(&assessor, format, line: index + 1, offset: offset)
      }
      offset += line.utf8.count + 1
      withExtendedLifetime(memory) {}
    }
    settlement = Self.bytes(settlementText)
    exceptions = Self.bytes(exceptionsText)
    findings = findingsTexts
  }

  private static func appendExceptions(
    _ assessor: inout RecordAssessor, line: Int, offset: Int, to text: inout TextBuffer
  ) {
    var message = TextBuffer()
    if assessor.outcome == .pending || assessor.outcome == .held {
      ExceptionsReport.appendPlace(file: Array("batch.jsonl".utf8), line: line, offset: offset, to: &text)
      ExceptionsReport.appendUnsettled(assessor, to: &text)
    }
    for finding in assessor.findings {
      ExceptionsReport.appendPlace(file: Array("batch.jsonl".utf8), line: line, offset: offset, to: &text)
      ExceptionsReport.append(finding, of: &assessor, message: &message, to: &text)
    }
  }

  private static func findings(
    _ assessor: inout RecordAssessor, _ format: FindingsReport.Format, line: Int, offset: Int
  ) -> [UInt8] {
    var text = TextBuffer()
    var message = TextBuffer()
    let file = Array((format == .text ? "batch.jsonl" : "\"batch.jsonl\"").utf8)
    for finding in assessor.findings {
      FindingsReport.appendPlace(format, file: file, line: line, offset: offset, to: &text)
      FindingsReport.append(finding, format, of: &assessor, message: &message, to: &text)
    }
    for notice in assessor.notices {
      FindingsReport.appendPlace(format, file: file, line: line, offset: offset, to: &text)
      FindingsReport.append(notice, format, of: assessor, message: &message, to: &text)
    }
    return bytes(text)
  }

  static func bytes(_ text: borrowing TextBuffer) -> [UInt8] {
    Array(UnsafeBufferPointer(start: text.bytes, count: text.count))
  }

  /// What a writer of a whole text writes.
  static func bytes(_ write: (inout TextBuffer) -> Void) -> [UInt8] {
    var text = TextBuffer(capacity: 1)
    write(&text)
    return bytes(text)
  }
}
