import Input
import Records
import Text

/// Texts of a settled record that no rule reads, looked up in its line when a statement or a journal needs them.
/// Valid until the next record is judged.
public struct EntryTexts: ~Escapable {
  /// A receiver's text.
  public enum ReceiverText: Sendable {
    /// `customId`.
    case customId
    /// `description`.
    case description
  }

  private let line: Span<UInt8>
  private let fields: FieldRows
  private let receivers: Span<ReceiverFigures>
  private let isRefund: Bool

  @_lifetime(copy line, copy fields, copy receivers)
  init(line: Span<UInt8>, fields: FieldRows, receivers: Span<ReceiverFigures>, isRefund: Bool) {
    self.line = line
    self.fields = fields
    self.receivers = receivers
    self.isRefund = isRefund
  }

  /// Whether it is a payment under a preapproval.
  public var hasPreapproval: Bool { !isRefund && !fields[.preapprovalKey as RecordField].isAbsent }

  /// When the payment or refund was made; nil if the record does not say.
  public var createdAt: UTCTime? {
    let slice = isRefund ? fields[.createdAt as RefundField] : fields[.createdAt as RecordField]
    guard slice.kind == .string else { return nil }
    return slice.isEscaped ? Timestamp.utc(text(slice).span) : Timestamp.utc(slice.text(in: line))
  }

  /// Appends a text of a receiver, unescaped. It may contain control characters and card numbers.
  ///
  /// - Parameter place: the receiver's place among the receivers, from 0.
  /// - Returns: false if there is no such text, as in a refund.
  public func append(_ text: ReceiverText, of place: Int, to buffer: inout TextBuffer) -> Bool {
    if isRefund { return false }
    let slice = fields[text == .customId ? .customId : .description, row: receivers[place].place.row]
    guard slice.kind == .string else { return false }
    if slice.isEscaped {
      buffer.append(unescaping: slice.text(in: line))
    } else {
      buffer.append(slice.text(in: line))
    }
    return true
  }

  /// A text of a payment's own field, unescaped; empty if the field is absent.
  public func text(_ field: RecordField) -> [UInt8] { text(fields[field]) }

  /// The same for a refund's own field.
  public func text(_ field: RefundField) -> [UInt8] { text(fields[field]) }

  /// The same for a preapproval's own field.
  public func text(_ field: PreapprovalField) -> [UInt8] { text(fields[field]) }

  /// The same for a field of a receiver listed in the payment, by its place from 0; empty if the receiver is in a
  /// profile.
  public func text(_ field: ReceiverField, of place: Int) -> [UInt8] {
    if !fields[.splitProfile as RecordField].isAbsent { return [] }
    return text(fields[field, row: fields[.receiverPaymentDetails as RecordField].isAbsent ? 0 : place + 1])
  }

  private func text(_ slice: JSONSlice) -> [UInt8] {
    slice.kind == .string ? UTF8Text.unescaped(slice.text(in: line)) : []
  }
}
