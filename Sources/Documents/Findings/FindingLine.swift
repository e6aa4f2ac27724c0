import Failures
import JSON
import Rules
import Text

/// A line of `settle validate`: an error or a notice of a record, or a batch error.
struct FindingLine {
  /// Where it is: the file's name in the form of the format, the line, and the byte offset of the record's line.
  struct Place {
    var file: [UInt8]?
    var line: Int?
    var offset: Int?
  }

  var place = Place()
  private let isNotice: Bool
  private let code: String
  private var payPalErrorID: Int?
  /// The keys of the record; nil for a batch error.
  private var keys: (payKey: [UInt8], refundKey: [UInt8], preapprovalKey: [UInt8])?
  private var field: [UInt8] = []
  private let message: [UInt8]

  /// A row of a worker, whole.
  init(row: [UInt8]) {
    let texts = row.dropFirst()
      .split(separator: 0, maxSplits: FindingRow.textCount - 1, omittingEmptySubsequences: false).map(Array.init)
    keys = (texts[0], texts[1], texts[2])
    (field, message) = (texts[3], texts[4])
    isNotice = row[0] & FindingRow.noticeMark != 0
    if isNotice {
      code = Notice(number: row[0] & ~FindingRow.noticeMark)!.code.description
    } else {
      let reason = RejectionReason(rawValue: row[0])!
      (code, payPalErrorID) = (reason.code.description, reason.payPalErrorID)
    }
  }

  init(_ error: BatchError) {
    isNotice = false
    (code, message) = (error.code.code, Array(error.reason.utf8))
    place.line = error.line
  }

  func append(_ format: FindingsReport.Format, isColored: Bool, to text: inout TextBuffer) {
    switch format {
    case .text: appendText(isColored: isColored, to: &text)
    case .jsonl: appendJSON(to: &text)
    case .github: appendCommand(to: &text)
    case .sarif: appendResult(to: &text)
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func appendText(isColored: Bool, to text: inout TextBuffer) {
    if let file = place.file {
      text.append(file.span)
      text.append(":")
      text.append(number: place.line!)
      text.append(": ")
    }
    if isColored { text.append(isNotice ? "\u{1B}[36m" : "\u{1B}[31m") }
    text.append(isNotice ? "notice" : "error")
    if isColored { text.append("\u{1B}[0m") }
    text.append(": ")
    text.append(code)
    if !field.isEmpty {
      text.append(" at ")
      text.append(field.span)
    }
    text.append(": ")
    text.append(message.span)
  }

  private func appendJSON(to text: inout TextBuffer) {
    text.append("{\"file\":")
    if let file = place.file { text.append(file.span) } else { text.append("null") }
    if let line = place.line { text.append(",\"line\":\(line)") }
    if let offset = place.offset { text.append(",\"offset\":\(offset)") }
    text.append(",\"payKey\":")
    append(key: keys?.payKey, to: &text)
    text.append(",\"severity\":\"")
    text.append(keys == nil ? "fatal" : isNotice ? "notice" : "error")
    text.append("\",\"code\":\"")
    text.append(code)
    text.append("\",\"field\":")
    JSONText.append(field.span, to: &text)
    appendPayPalErrorID(to: &text)
    text.append(",\"message\":")
    JSONText.append(message.span, to: &text)
    appendLaterKeys(to: &text)
    text.append("}")
  }

  private func appendCommand(to text: inout TextBuffer) {
    text.append(isNotice ? "::notice " : "::error ")
    if let file = place.file {
      text.append("file=")
      text.append(file.span)
      text.append(",")
    }
    if let line = place.line { text.append("line=\(line),") }
    text.append("title=")
    text.append(code)
    if !field.isEmpty {
      text.append(" at ")
      WorkflowCommand.append(field.span, isProperty: true, to: &text)
    }
    text.append("::")
    WorkflowCommand.append(message.span, to: &text)
  }

  /// A result of a SARIF log, without the comma before it.
  private func appendResult(to text: inout TextBuffer) {
    text.append("{")
    if let file = place.file {
      text.append("\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":")
      text.append(file.span)
      text.append("}")
      if let line = place.line { text.append(",\"region\":{\"startLine\":\(line)}") }
      text.append("}")
      if !field.isEmpty {
        text.append(",\"logicalLocations\":[{\"fullyQualifiedName\":")
        JSONText.append(field.span, to: &text)
        text.append("}]")
      }
      text.append("}],")
    }
    text.append("\"ruleId\":\"")
    text.append(code)
    text.append(isNotice ? "\",\"level\":\"note\"" : "\",\"level\":\"error\"")
    text.append(",\"message\":{\"text\":")
    JSONText.append(message.span, to: &text)
    text.append("}")
    if let keys {
      text.append(",\"properties\":{\"payKey\":")
      append(key: keys.payKey, to: &text)
      appendPayPalErrorID(to: &text)
      appendLaterKeys(to: &text)
      text.append("}")
    }
    text.append("}")
  }

  private func appendLaterKeys(to text: inout TextBuffer) {
    text.append(",\"refundKey\":")
    append(key: keys?.refundKey, to: &text)
    text.append(",\"preapprovalKey\":")
    append(key: keys?.preapprovalKey, to: &text)
  }

  private func append(key: [UInt8]?, to text: inout TextBuffer) {
    guard let key, !key.isEmpty else { return text.append("null") }
    JSONText.append(key.span, to: &text)
  }

  private func appendPayPalErrorID(to text: inout TextBuffer) {
    text.append(",\"paypalErrorId\":")
    if let payPalErrorID { text.append(number: payPalErrorID) } else { text.append("null") }
  }
}
