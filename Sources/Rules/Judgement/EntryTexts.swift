import Input
import Records
import Text

/// Texts of a settled record that no rule reads, looked up in its line when a statement or a journal needs them.
/// Valid until the next record is judged.
public struct EntryTexts {
  /// A receiver's text.
  public enum ReceiverText: Sendable {
    /// `customId`.
    case customId
    /// `description`.
    case description
  }

  let line: UnsafePointer<UInt8>
  let fields: FieldRows
  let receivers: UnsafePointer<ReceiverFigures>
  let isRefund: Bool

  /// Whether it is a payment under a preapproval.
  public var hasPreapproval: Bool { !isRefund && !fields[.preapprovalKey as RecordField].isAbsent }

  /// When the payment or refund was made; nil if the record does not say.
  public var createdAt: UTCTime? {
    let slice = isRefund ? fields[.createdAt as RefundField] : fields[.createdAt as RecordField]
    guard slice.kind == .string else { return nil }
    let bytes = line + Int(slice.start)
    guard slice.isEscaped else { return Timestamp.utc(bytes, count: slice.length) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.length) { room in
      guard let start = room.baseAddress else { return nil }
      return Timestamp.utc(start, count: UTF8Text.unescape(bytes, count: slice.length, into: start))
    }
  }

  /// Appends a text of a receiver, unescaped. It may contain control characters and card numbers.
  ///
  /// - Parameter place: the receiver's place among the receivers, from 0.
  /// - Returns: false if there is no such text, as in a refund.
  public func append(_ text: ReceiverText, of place: Int, to buffer: inout TextBuffer) -> Bool {
    if isRefund { return false }
    let slice = fields[text == .customId ? .customId : .description, row: receivers[place].place.row]
    guard slice.kind == .string else { return false }
    let bytes = line + Int(slice.start)
    if slice.isEscaped {
      let room = buffer.reserve(slice.length)
      buffer.advance(by: UTF8Text.unescape(bytes, count: slice.length, into: room))
    } else {
      buffer.append(bytes, count: slice.length)
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
    guard slice.kind == .string else { return [] }
    let bytes = line + Int(slice.start)
    return [UInt8](unsafeUninitializedCapacity: slice.length) { room, count in
      guard let start = room.baseAddress else { return }
      count = UTF8Text.unescape(bytes, count: slice.length, into: start)
    }
  }
}
