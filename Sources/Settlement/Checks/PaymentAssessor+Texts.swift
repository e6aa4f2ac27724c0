import BatchFile
import Payments

/// Texts of the payment that a settlement does not need: looked up when somebody asks for them.
extension PaymentAssessor {
  /// A receiver's text that no rule reads.
  public enum ReceiverText: Sendable {
    /// `customId`.
    case customId
    /// `description`.
    case description

    var field: Int {
      switch self {
      case .customId: ReceiverField.customId
      case .description: ReceiverField.description
      }
    }
  }

  /// When the payment was made; nil where it does not say. Of a payment without errors.
  public var createdAt: UTCTime? {
    let slice = scanner.field(RecordField.createdAt)
    guard slice.kind == .string else { return nil }
    let bytes = line + Int(slice.start)
    guard slice.isEscaped else { return Timestamp.utc(bytes, count: slice.length) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.length) { room in
      guard let start = room.baseAddress else { return nil }
      return Timestamp.utc(start, count: UTF8Text.unescape(bytes, count: slice.length, into: start))
    }
  }

  /// Appends a text of a receiver as the batch has it, unescaped: control characters and card numbers included.
  ///
  /// - Parameter place: the receiver's place among the receivers, 0-5, of a payment without errors.
  /// - Returns: false where there is none.
  public func append(_ text: ReceiverText, of place: Int, to buffer: inout TextBuffer) -> Bool {
    let slice = scanner.receiverField(text.field, row: receiver(place).pointee.row)
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
}
