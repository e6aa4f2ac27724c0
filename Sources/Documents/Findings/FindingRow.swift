import Rules
import Text

/// A finding as a worker passes it to the list, which knows its place and the format: a mark, which names the error or
/// notice, and texts with a zero byte between them. They contain none, as their control characters are escaped.
public enum FindingRow {
  static let noticeMark: UInt8 = 0x80
  /// The record's pay key, refund key and preapproval key, each empty if it is not valid; the field, and the message.
  static let textCount = 5

  /// Appends an error of the record.
  public static func append(_ finding: Finding, of judgement: borrowing Judgement, to row: inout TextBuffer) {
    row.append(finding.reason.rawValue)
    appendKeys(of: judgement, to: &row)
    judgement.writeField(of: finding, to: &row)
    row.append(0)
    judgement.writeMessage(of: finding, to: &row)
  }

  /// Appends a notice of the record; only its mark if it is counted and not listed.
  public static func append(
    _ notice: NoticeFinding, isListed: Bool = true, of judgement: borrowing Judgement, to row: inout TextBuffer
  ) {
    row.append(noticeMark | notice.notice.number)
    guard isListed else { return }
    appendKeys(of: judgement, to: &row)
    judgement.writeField(of: notice, to: &row)
    row.append(0)
    judgement.writeMessage(of: notice, to: &row)
  }

  private static func appendKeys(of judgement: borrowing Judgement, to row: inout TextBuffer) {
    row.append(judgement.payKey)
    row.append(0)
    row.append(judgement.refundKey)
    row.append(0)
    row.append(judgement.preapprovalKey)
    row.append(0)
  }
}
