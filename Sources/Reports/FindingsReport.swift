import JSON
import Rules
import Text

/// The lines of `settle validate` for errors and notices, for people or for machines.
///
/// A line is written in two parts: its place is known later than the rest (`FindingsList`).
public enum FindingsReport {
  /// The format of the lines.
  public enum Format: String, CaseIterable, Sendable {
    /// `file:line: error: CODE at FIELD: message`, without the field if the error is about the whole record.
    case text
    /// One JSON object per line.
    case jsonl
    /// Workflow commands of GitHub Actions, one per line.
    case github
    /// One SARIF 2.1.0 log.
    case sarif

    /// The most findings that are listed unless asked otherwise. A program that reads `jsonl` wants all of them; people
    /// read no more than the first, and GitHub refuses a SARIF run of more results.
    public var mostListed: Int {
      switch self {
      case .text, .github: 1_000
      case .sarif: 25_000
      case .jsonl: .max
      }
    }
  }

  /// The byte that indicates to the commit which error a line is about.
  public static func mark(_ finding: Finding) -> UInt8 { finding.reason.rawValue }

  /// The byte that indicates to the commit which notice a line is about.
  public static func mark(_ notice: NoticeFinding) -> UInt8 { noticeMark | notice.notice.rawValue }

  static let noticeMark: UInt8 = 0x80

  /// Appends the rest of the line of one error of the record.
  public static func append(
    _ finding: Finding, _ format: Format, of judgement: borrowing Judgement, message: inout TextBuffer,
    to text: inout TextBuffer
  ) {
    message.removeAll(keeping: 4096)
    judgement.writeField(of: finding, to: &message)
    let fieldLength = message.count
    judgement.writeMessage(of: finding, to: &message)
    let line = Line(
      keys: Keys(judgement), severity: "error", code: finding.reason.code,
      payPalErrorID: finding.reason.payPalErrorID, field: UnsafePointer(message.bytes), fieldLength: fieldLength,
      messageLength: message.count - fieldLength)
    line.append(format, to: &text)
  }

  /// Appends the rest of the line of one notice of the record.
  public static func append(
    _ notice: NoticeFinding, _ format: Format, of judgement: borrowing Judgement, message: inout TextBuffer,
    to text: inout TextBuffer
  ) {
    message.removeAll(keeping: 4096)
    judgement.writeField(of: notice, to: &message)
    let fieldLength = message.count
    judgement.writeMessage(of: notice, to: &message)
    let line = Line(
      keys: Keys(judgement), severity: "notice", code: notice.notice.code, payPalErrorID: nil,
      field: UnsafePointer(message.bytes), fieldLength: fieldLength, messageLength: message.count - fieldLength)
    line.append(format, to: &text)
  }

  /// The keys that a record names; invalid ones are empty.
  private struct Keys {
    let payKey, refundKey, preapprovalKey: RecordText

    init(_ judgement: borrowing Judgement) {
      payKey = judgement.payKey
      refundKey = judgement.refundKey
      preapprovalKey = judgement.preapprovalKey
    }
  }

  /// What a line says after its place; the message follows the field.
  private struct Line {
    let keys: Keys
    let severity: StaticString
    let code: StaticString
    let payPalErrorID: Int?
    let field: UnsafePointer<UInt8>
    let fieldLength: Int
    let messageLength: Int

    private var message: UnsafePointer<UInt8> { field + fieldLength }

    func append(_ format: Format, to text: inout TextBuffer) {
      switch format {
      case .text:
        text.append(severity)
        text.append(": ")
        text.append(code)
        if fieldLength > 0 {
          text.append(" at ")
          text.append(field, count: fieldLength)
        }
        text.append(": ")
        text.append(message, count: messageLength)
      case .jsonl:
        append(keys.payKey, to: &text)
        text.append(",\"severity\":\"")
        text.append(severity)
        text.append("\",\"code\":\"")
        text.append(code)
        text.append("\",\"field\":")
        JSONText.append(field, count: fieldLength, to: &text)
        appendPayPalErrorID(to: &text)
        text.append(",\"message\":")
        JSONText.append(message, count: messageLength, to: &text)
        appendLaterKeys(to: &text)
        text.append(UInt8(ascii: "}"))
      case .github:
        text.append(",title=")
        text.append(code)
        if fieldLength > 0 {
          text.append(" at ")
          WorkflowCommand.append(field, count: fieldLength, isProperty: true, to: &text)
        }
        text.append("::")
        WorkflowCommand.append(message, count: messageLength, to: &text)
      case .sarif: appendResult(to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    }

    /// The part of a SARIF result that follows its physical location.
    private func appendResult(to text: inout TextBuffer) {
      text.append("}")
      if fieldLength > 0 {
        text.append(",\"logicalLocations\":[{\"fullyQualifiedName\":")
        JSONText.append(field, count: fieldLength, to: &text)
        text.append("}]")
      }
      text.append("}],\"ruleId\":\"")
      text.append(code)
      text.append(severity.utf8Start.pointee == UInt8(ascii: "e") ? "\",\"level\":\"error\"" : "\",\"level\":\"note\"")
      text.append(",\"message\":{\"text\":")
      JSONText.append(message, count: messageLength, to: &text)
      text.append("},\"properties\":{\"payKey\":")
      append(keys.payKey, to: &text)
      appendPayPalErrorID(to: &text)
      appendLaterKeys(to: &text)
      text.append("}}")
    }

    private func appendLaterKeys(to text: inout TextBuffer) {
      text.append(",\"refundKey\":")
      append(keys.refundKey, to: &text)
      text.append(",\"preapprovalKey\":")
      append(keys.preapprovalKey, to: &text)
    }

    private func append(_ key: RecordText, to text: inout TextBuffer) {
      if key.count == 0 { return text.append("null") }
      JSONText.append(key.bytes, count: key.count, to: &text)
    }

    private func appendPayPalErrorID(to text: inout TextBuffer) {
      text.append(",\"paypalErrorId\":")
      if let payPalErrorID { text.append(number: payPalErrorID) } else { text.append("null") }
    }
  }
}
