import Records
import Text

/// The valid parts of a payment's card (`cards.md`).
public struct PaymentCard {
  /// Its number; nil if it is not given or not valid.
  public private(set) var number: CardNumber?
  /// The last month in which it is valid; nil if it is not given or not valid.
  public private(set) var month: CardMonth?
  /// How it was read; nil if that is not given or not valid.
  public private(set) var entry: CardEntry?

  /// Checks the card of a payment that has one. No finding shows a value of the card, only its JSON type.
  ///
  /// - Parameter createdAt: when the payment was made, as written; nil if that is not given or not valid.
  @inline(never)
  init(_ record: inout RecordReader, fundingSource: FundingSource?, createdAt: RecordText?) {
    if let fundingSource, fundingSource != .card {
      record.reject(.fundingSourceMismatch, record.top(.fundingSource))
    }
    let card = record.top(.card)
    guard card.kind == .object else {
      record.reject(.wrongType, card)
      return
    }
    let hasNumber = !record.card(.cardNumber).isAbsent
    record.hasCardSecret = hasNumber || !record.card(.cvv2).isAbsent
    number = record.cardText(.cardNumber, orElse: .invalidCardNumber) { CardNumber($0) }
    month = record.cardText(.expirationDate, isRequired: hasNumber) { CardMonth(expirationDate: $0) }
    entry = record.cardText(.entry, isRequired: true) { CardEntry.find($0) }
    let number = number
    _ = record.cardText(.cvv2, isRequired: hasNumber && entry == .keyed) {
      Self.isCode($0, of: number) ? $0.count : nil
    }
    _ = record.cardText(.postalCode) { Self.isPostalCode($0) ? $0.count : nil }
    if let month, let createdAt, month < CardMonth(of: record[createdAt]) {
      record.reject(.cardExpired, at: .card(.expirationDate))
    }
  }

  /// Whether a text is a valid `cvv2`: 3 or 4 digits, as the number requires; either if the number is not valid.
  private static func isCode(_ text: Span<UInt8>, of number: CardNumber?) -> Bool {
    let lengths = number.map { $0.hasLongCode ? 4...4 : 3...3 } ?? 3...4
    return lengths.contains(text.count) && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.digit != 0 }
  }

  private static func isPostalCode(_ text: Span<UInt8>) -> Bool {
    1...16 ~= text.count && ASCIIClass.of(text[0]) & ASCIIClass.alphanumeric != 0
      && text.allSatisfy {
        ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")
      }
  }
}

extension RecordReader {
  /// A field of the card, parsed; nil if it is absent or not valid, which is reported.
  fileprivate mutating func cardText<Value>(
    _ field: CardField, isRequired: Bool = false, orElse reason: RejectionReason = .invalidValue,
    _ value: (Span<UInt8>) -> Value?
  ) -> Value? {
    let text = card(field)
    if text.isAbsent, isRequired { reject(.missingField, text) }
    guard let place = string(text) else { return nil }
    let found = value(self[place])
    if found == nil { reject(reason, at: text.path) }
    return found
  }
}
