import Failures
import JSON
import Rules
import Text

/// The findings of a validation in batch order: adds each line's place, counts the findings, and ends the list at its
/// limit.
///
/// Not thread-safe.
public final class FindingsList {
  /// The format of the lines.
  public let format: FindingsReport.Format
  /// Whether notices are listed; if not, they are only counted.
  public let listsNotices: Bool
  private let limit: Int
  private let isColored: Bool
  /// The number of errors found, listed or not, by `RejectionReason.rawValue`.
  public private(set) var errors = Array(repeating: 0, count: RejectionReason.allCases.count)
  /// The number of notices found, listed or not, by `Notice.number`.
  public private(set) var notices = Array(repeating: 0, count: Notice.allCases.count)
  /// The number of findings in the list.
  public private(set) var listed = 0
  /// Whether a SARIF log has a result.
  private var hasResult = false

  /// - Parameters:
  ///   - limit: the maximum number of findings in the list; all are counted.
  ///   - isColored: whether `text` is for a terminal that shows colours.
  public init(_ format: FindingsReport.Format, listsNotices: Bool = true, limit: Int = .max, isColored: Bool = false) {
    self.format = format
    self.listsNotices = listsNotices
    self.limit = limit
    self.isColored = isColored
  }

  /// The number of findings beyond the limit.
  public var unlisted: Int { errors.reduce(0, +) + (listsNotices ? notices.reduce(0, +) : 0) - listed }

  /// A file's name in the form that the lines use; the argument is already escaped.
  public func file(_ name: [UInt8]) -> [UInt8] {
    var text = TextBuffer()
    switch format {
    case .text: return name
    case .jsonl: JSONText.append(name.span, to: &text)
    case .github: WorkflowCommand.append(name.span, isProperty: true, to: &text)
    case .sarif:
      let path = PercentEncoding.encoded(name) { Self.isPathByte($0) }
      JSONText.append((path.hasPrefix("/") ? "file://" : "") + path, to: &text)
    }
    return Array(text.span)
  }

  /// Whether a byte may be in a URL's path unescaped (RFC 3986); a colon would end a scheme.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || "!$&'()*+,/=@".utf8.contains(byte)
  }

  /// Appends the line of a finding, if it is listed.
  ///
  /// - Parameters:
  ///   - row: what `FindingRow` appended.
  ///   - file: the result of `file(_:)`.
  ///   - offset: the byte offset of the record's line.
  public func append(
    _ row: Span<UInt8>, file: [UInt8], line: Int, offset: Int, to text: inout TextBuffer
  ) {
    let isNotice = row[0] & FindingRow.noticeMark != 0
    if isNotice { notices[Int(row[0] & ~FindingRow.noticeMark)] += 1 } else { errors[Int(row[0])] += 1 }
    guard listed < limit, listsNotices || !isNotice else { return }
    listed += 1
    var finding = FindingLine(row: Array(row))
    finding.place = FindingLine.Place(file: file, line: line, offset: offset)
    append(finding, to: &text)
  }

  private func append(_ line: FindingLine, to text: inout TextBuffer) {
    if format == .sarif {
      if hasResult { text.append(",") }
      hasResult = true
    }
    line.append(format, isColored: isColored, to: &text)
  }

  // MARK: The batch as a whole

  /// Appends what comes before all lines.
  ///
  /// - Parameter version: the engine's version.
  public func begin(version: String, to text: inout TextBuffer) {
    guard format == .sarif else { return }
    let rules = RejectionReason.allCases.map { reason -> JSONTree in
      ["id": .string(reason.code.description), "shortDescription": ["text": .string(reason.meaning)]]
    }
    text.append("{\"$schema\":\"\(Self.schema)\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":")
    let driver: JSONTree = ["name": .string("settle"), "version": .string(version), "rules": .array(rules)]
    driver.write(to: &text)
    text.append("},\"results\":[\n")
  }

  /// Appends the line of a batch error; in the `text` format, the error is reported elsewhere.
  public func append(_ error: BatchError, to text: inout TextBuffer) {
    if format == .text { return }
    var line = FindingLine(error)
    line.place.file = error.file.map { file(Array($0.utf8)) }
    append(line, to: &text)
  }

  /// Appends what comes after all lines.
  ///
  /// - Parameters:
  ///   - exitCode: the command's exit code.
  ///   - isComplete: whether the whole batch was checked.
  ///   - failure: why it was not, if that is no batch error.
  public func end(exitCode: Int32, isComplete: Bool, failure: String? = nil, to text: inout TextBuffer) {
    guard format == .sarif else { return }
    text.append("],\"invocations\":[{\"executionSuccessful\":\(isComplete),\"exitCode\":\(exitCode)")
    var notifications: [(level: StaticString, text: String)] = []
    if let failure { notifications.append(("error", failure)) }
    if unlisted > 0 {
      let findings = unlisted == 1 ? "finding is" : "findings are"
      notifications.append(("warning", "\(unlisted) more \(findings) not listed (--max-findings)"))
    }
    for (place, notification) in notifications.enumerated() {
      text.append(place == 0 ? ",\"toolExecutionNotifications\":[{\"level\":\"" : ",{\"level\":\"")
      text.append(notification.level)
      text.append("\",\"message\":{\"text\":")
      JSONText.append(notification.text, to: &text)
      text.append(place == notifications.count - 1 ? "}}]" : "}}")
    }
    text.append("}]}]}\n")
  }

  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
}
