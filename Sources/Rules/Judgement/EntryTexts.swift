import Input
import Records
import Text

/// Texts of a settled record that no rule reads, looked up in its line when a statement or a journal needs them.
/// Valid until the next record is judged.
public struct EntryTexts: ~Escapable {
  public enum ReceiverText: Sendable {
    case customId
    case description
    case merchantName
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

  /// What became of a text that was appended.
  public enum Appended: Sendable {
    /// There is no such text.
    case nothing
    /// It may contain control characters and card numbers.
    case whole
    /// It was too long, and had a card number, which is masked.
    case masked
  }

  /// Appends a text of a receiver, unescaped, and cut if it is too long (`LongText`).
  ///
  /// - Parameter place: the receiver's place among the receivers, from 0. A refund has no such texts.
  public func append(_ text: ReceiverText, of place: Int, to buffer: inout TextBuffer) -> Appended {
    if isRefund { return .nothing }
    let slice = fields[text.field, row: receivers[place].place.row]
    guard slice.kind == .string else { return .nothing }
    // Unescaping only shortens a text.
    if slice.length > LongText.most { return appendLong(slice, to: &buffer) }
    if slice.isEscaped {
      buffer.append(unescaping: slice.text(in: line))
    } else {
      buffer.append(slice.text(in: line))
    }
    return .whole
  }

  @inline(never)
  private func appendLong(_ slice: JSONSlice, to buffer: inout TextBuffer) -> Appended {
    var text = UTF8Text.unescaped(slice.text(in: line))
    let isMasked = LongText.cut(&text, to: LongText.most)
    buffer.append(text)
    return isMasked ? .masked : .whole
  }

  /// A payment's memo, unescaped, cut if it is too long; empty if it is absent.
  public var memo: [UInt8] { shown(fields[.memo as RecordField], most: LongText.mostOfMemo) }

  /// The address for a payment's notifications; empty if it is absent or not used.
  public var url: [UInt8] {
    let url = text(isRefund ? fields[.ipnUrl as RefundField] : fields[.ipnUrl as RecordField])
    return NotificationURL.isValid(url.span) ? url : []
  }

  public var preapprovalURL: [UInt8] {
    let url = text(fields[.ipnUrl as PreapprovalField])
    return NotificationURL.isValid(url.span) ? url : []
  }

  /// A text of a payment's own field, unescaped; empty if the field is absent.
  public func text(_ field: RecordField) -> [UInt8] { text(fields[field]) }

  /// The same for a refund's own field.
  public func text(_ field: RefundField) -> [UInt8] { text(fields[field]) }

  /// The same for a preapproval's own field.
  public func text(_ field: PreapprovalField) -> [UInt8] { text(fields[field]) }

  /// The same for a field of a receiver listed in the payment, by its place from 0, cut if it is too long; empty if the
  /// receiver is in a profile.
  public func text(_ field: ReceiverField, of place: Int) -> [UInt8] {
    if !fields[.splitProfile as RecordField].isAbsent { return [] }
    let row = fields[.receiverPaymentDetails as RecordField].isAbsent ? 0 : place + 1
    return shown(fields[field, row: row], most: LongText.most)
  }

  /// The payment type that a receiver listed in the payment takes, its own or the payment's.
  public func paymentType(of place: Int) -> PaymentType {
    if !fields[.splitProfile as RecordField].isAbsent { return .notSet }
    return receivers[place].type
  }

  private func shown(_ slice: JSONSlice, most: Int) -> [UInt8] {
    var text = text(slice)
    _ = LongText.cut(&text, to: most)
    return text
  }

  private func text(_ slice: JSONSlice) -> [UInt8] {
    slice.kind == .string ? UTF8Text.unescaped(slice.text(in: line)) : []
  }
}

extension EntryTexts.ReceiverText {
  fileprivate var field: ReceiverField {
    switch self {
    case .customId: .customId
    case .description: .description
    case .merchantName: .merchantName
    }
  }
}
