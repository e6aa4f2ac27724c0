import JSON
import Rules
import Text

/// What `settle validate` prints: a line for each error and notice, for people or for machines.
public enum FindingsReport {
  /// How the lines look.
  public enum Format: String, CaseIterable, Sendable {
    /// `file:line: error: CODE at FIELD: message`.
    case text
    /// One JSON object a line.
    case jsonl
  }

  /// Appends the beginning of a line: the place that a finding is at.
  ///
  /// - Parameter file: the file's name, escaped; of a JSON line, in quotes.
  public static func appendPlace(
    _ format: Format, file: [UInt8], line: Int, offset: Int, to text: inout TextBuffer
  ) {
    if format == .jsonl { text.append("{\"file\":") }
    file.withUnsafeBufferPointer { name in
      if let start = name.baseAddress { text.append(start, count: name.count) }
    }
    switch format {
    case .text:
      text.append(UInt8(ascii: ":"))
      text.append(number: line)
      text.append(": ")
    case .jsonl:
      text.append(",\"line\":")
      text.append(number: line)
      text.append(",\"offset\":")
      text.append(number: offset)
      text.append(",\"payKey\":")
    }
  }

  /// Appends the rest of the line of one error of the record that the assessor holds.
  public static func append(
    _ finding: Finding, _ format: Format, of assessor: inout RecordAssessor, message: inout TextBuffer,
    to text: inout TextBuffer
  ) {
    message.removeAll(keeping: 4096)
    assessor.writeField(of: finding, to: &message)
    let fieldLength = message.count
    assessor.writeMessage(of: finding, to: &message)
    appendRest(
      format, payKey: assessor.payKey, severity: "error", code: finding.reason.code,
      payPalErrorID: finding.reason.payPalErrorID, message: message, fieldLength: fieldLength, to: &text)
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
    appendRest(
      format, payKey: assessor.payKey, severity: "notice", code: notice.notice.code, payPalErrorID: nil,
      message: message, fieldLength: fieldLength, to: &text)
  }

  private static func appendRest(
    _ format: Format, payKey: (bytes: UnsafePointer<UInt8>, count: Int), severity: StaticString, code: StaticString,
    payPalErrorID: Int?, message: borrowing TextBuffer, fieldLength: Int, to text: inout TextBuffer
  ) {
    let field = UnsafePointer(message.bytes)
    switch format {
    case .text:
      text.append(severity)
      text.append(": ")
      text.append(code)
      text.append(" at ")
      text.append(field, count: fieldLength)
      text.append(": ")
      text.append(field + fieldLength, count: message.count - fieldLength)
    case .jsonl:
      if payKey.count == 0 {
        text.append("null")
      } else {
        JSONText.append(payKey.bytes, count: payKey.count, to: &text)
      }
      text.append(",\"severity\":\"")
      text.append(severity)
      text.append("\",\"code\":\"")
      text.append(code)
      text.append("\",\"field\":")
      JSONText.append(field, count: fieldLength, to: &text)
      text.append(",\"paypalErrorId\":")
      if let payPalErrorID { text.append(number: payPalErrorID) } else { text.append("null") }
      text.append(",\"message\":")
      JSONText.append(field + fieldLength, count: message.count - fieldLength, to: &text)
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "\n"))
  }
}
