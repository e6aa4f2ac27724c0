import JSON
import Rules
import Text

/// What `settle validate` says of each error and notice, for people or for machines.
///
/// A line is written in two halves: its place is known later than the rest (`FindingsList`).
public enum FindingsReport {
  /// How the lines look.
  public enum Format: String, CaseIterable, Sendable {
    /// `file:line: error: CODE at FIELD: message`.
    case text
    /// One JSON object a line.
    case jsonl
    /// Workflow commands of GitHub Actions, a line each.
    case github
    /// One SARIF 2.1.0 log.
    case sarif
  }

  /// The byte that tells the commit which error a line is of.
  public static func mark(_ finding: Finding) -> UInt8 { finding.reason.rawValue }

  /// The byte that tells the commit which notice a line is of.
  public static func mark(_ notice: NoticeFinding) -> UInt8 { noticeMark | notice.notice.rawValue }

  static let noticeMark: UInt8 = 0x80

  /// Appends the rest of the line of one error of the record that the assessor holds.
  public static func append(
    _ finding: Finding, _ format: Format, of assessor: inout RecordAssessor, message: inout TextBuffer,
    to text: inout TextBuffer
  ) {
    message.removeAll(keeping: 4096)
    assessor.writeField(of: finding, to: &message)
    let fieldLength = message.count
    assessor.writeMessage(of: finding, to: &message)
    let line = Line(
      payKey: assessor.payKey, severity: "error", code: finding.reason.code,
      payPalErrorID: finding.reason.payPalErrorID, field: UnsafePointer(message.bytes), fieldLength: fieldLength,
      messageLength: message.count - fieldLength)
    line.append(format, to: &text)
  }

  /// Appends the rest of the line of one notice of the record that the assessor holds.
  public static func append(
    _ notice: NoticeFinding, _ format: Format, of assessor: borrowing RecordAssessor, message: inout TextBuffer,
    to text: inout TextBuffer
  ) {
    message.removeAll(keeping: 4096)
    assessor.writeField(of: notice, to: &message)
    let fieldLength = message.count
    assessor.writeMessage(of: notice, to: &message)
    let line = Line(
      payKey: assessor.payKey, severity: "notice", code: notice.notice.code, payPalErrorID: nil,
      field: UnsafePointer(message.bytes), fieldLength: fieldLength, messageLength: message.count - fieldLength)
    line.append(format, to: &text)
  }

  /// What a line says behind its place; the message stands behind the field.
  private struct Line {
    let payKey: (bytes: UnsafePointer<UInt8>, count: Int)
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
        text.append(" at ")
        text.append(field, count: fieldLength)
        text.append(": ")
        text.append(message, count: messageLength)
      case .jsonl:
        appendPayKey(to: &text)
        text.append(",\"severity\":\"")
        text.append(severity)
        text.append("\",\"code\":\"")
        text.append(code)
        text.append("\",\"field\":")
        JSONText.append(field, count: fieldLength, to: &text)
        appendPayPalErrorID(to: &text)
        text.append(",\"message\":")
        JSONText.append(message, count: messageLength, to: &text)
        text.append(UInt8(ascii: "}"))
      case .github:
        text.append(",title=")
        text.append(code)
        if fieldLength > 0 {
          text.append(" at ")
          WorkflowCommand.append(property: field, count: fieldLength, to: &text)
        }
        text.append("::")
        WorkflowCommand.append(text: message, count: messageLength, to: &text)
      case .sarif: appendResult(to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    }

    /// A result of a SARIF log behind its physical location.
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
      appendPayKey(to: &text)
      appendPayPalErrorID(to: &text)
      text.append("}}")
    }

    private func appendPayKey(to text: inout TextBuffer) {
      if payKey.count == 0 { return text.append("null") }
      JSONText.append(payKey.bytes, count: payKey.count, to: &text)
    }

    private func appendPayPalErrorID(to text: inout TextBuffer) {
      text.append(",\"paypalErrorId\":")
      if let payPalErrorID { text.append(number: payPalErrorID) } else { text.append("null") }
    }
  }
}
