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
      judgement, severity: "error", code: finding.reason.code, payPalErrorID: finding.reason.payPalErrorID,
      text: message.span, fieldLength: fieldLength)
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
      judgement, severity: "notice", code: notice.notice.code, payPalErrorID: nil, text: message.span,
      fieldLength: fieldLength)
    line.append(format, to: &text)
  }

  /// What a line says after its place.
  private struct Line: ~Escapable {
    /// The keys that the record names; invalid ones are empty.
    let payKey, refundKey, preapprovalKey: Span<UInt8>
    let severity: StaticString
    let code: StaticString
    let payPalErrorID: Int?
    let field: Span<UInt8>
    let message: Span<UInt8>

    /// - Parameter text: the field, of `fieldLength` bytes, and the message.
    @_lifetime(borrow judgement, copy text)
    init(
      _ judgement: borrowing Judgement, severity: StaticString, code: StaticString, payPalErrorID: Int?,
      text: Span<UInt8>, fieldLength: Int
    ) {
      payKey = judgement.payKey
      refundKey = judgement.refundKey
      preapprovalKey = judgement.preapprovalKey
      self.severity = severity
      self.code = code
      self.payPalErrorID = payPalErrorID
      field = text.extracting(first: fieldLength)
      message = text.extracting(droppingFirst: fieldLength)
    }

    func append(_ format: Format, to text: inout TextBuffer) {
      switch format {
      case .text:
        text.append(severity)
        text.append(": ")
        text.append(code)
        if !field.isEmpty {
          text.append(" at ")
          text.append(field)
        }
        text.append(": ")
        text.append(message)
      case .jsonl:
        append(payKey, to: &text)
        text.append(",\"severity\":\"")
        text.append(severity)
        text.append("\",\"code\":\"")
        text.append(code)
        text.append("\",\"field\":")
        JSONText.append(field, to: &text)
        appendPayPalErrorID(to: &text)
        text.append(",\"message\":")
        JSONText.append(message, to: &text)
        appendLaterKeys(to: &text)
        text.append(UInt8(ascii: "}"))
      case .github:
        text.append(",title=")
        text.append(code)
        if !field.isEmpty {
          text.append(" at ")
          WorkflowCommand.append(field, isProperty: true, to: &text)
        }
        text.append("::")
        WorkflowCommand.append(message, to: &text)
      case .sarif: appendResult(to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    }

    /// The part of a SARIF result that follows its physical location.
    private func appendResult(to text: inout TextBuffer) {
      text.append("}")
      if !field.isEmpty {
        text.append(",\"logicalLocations\":[{\"fullyQualifiedName\":")
        JSONText.append(field, to: &text)
        text.append("}]")
      }
      text.append("}],\"ruleId\":\"")
      text.append(code)
      text.append(severity.bytes[0] == UInt8(ascii: "e") ? "\",\"level\":\"error\"" : "\",\"level\":\"note\"")
      text.append(",\"message\":{\"text\":")
      JSONText.append(message, to: &text)
      text.append("},\"properties\":{\"payKey\":")
      append(payKey, to: &text)
      appendPayPalErrorID(to: &text)
      appendLaterKeys(to: &text)
      text.append("}}")
    }

    private func appendLaterKeys(to text: inout TextBuffer) {
      text.append(",\"refundKey\":")
      append(refundKey, to: &text)
      text.append(",\"preapprovalKey\":")
      append(preapprovalKey, to: &text)
    }

    private func append(_ key: Span<UInt8>, to text: inout TextBuffer) {
      if key.isEmpty { return text.append("null") }
      JSONText.append(key, to: &text)
    }

    private func appendPayPalErrorID(to text: inout TextBuffer) {
      text.append(",\"paypalErrorId\":")
      if let payPalErrorID { text.append(number: payPalErrorID) } else { text.append("null") }
    }
  }
}
