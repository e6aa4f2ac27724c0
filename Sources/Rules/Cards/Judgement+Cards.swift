import Input
import Records
import Text

/// The card of a payment, as far as it is valid.
public struct PaymentCard {
  /// Its number; nil if it is not given or not valid.
  public internal(set) var number: CardNumber?
  /// The last month in which it is good; nil if it is not given or not valid.
  public internal(set) var month: CardMonth?
  /// How it was read; nil if that is not given or not valid.
  public internal(set) var entry: CardEntry?
}

/// The card that a payment was made with (`cards.md`). No finding has a value of it as evidence except its type.
extension Judgement {
  /// Checks the card of a payment that has one.
  ///
  /// - Parameter createdAt: when the payment was made, as written; nil if that is not given or not valid.
  @inline(never)
  mutating func checkCard(createdAt: UnsafePointer<UInt8>?) {
    card = PaymentCard()
    if let fundingSource, fundingSource != .card {
      reject(.fundingSourceMismatch, at: .top(.fundingSource), evidence: scanner.field(.fundingSource))
    }
    let slice = scanner.field(.card)
    guard slice.kind == .object else { return reject(.wrongType, at: .top(.card), evidence: slice) }
    let hasNumber = !scanner.cardField(.cardNumber).isAbsent
    let number = cardText(.cardNumber, isRequired: false, orElse: .invalidCardNumber) { CardNumber($0) }
    let month = cardText(.expirationDate, isRequired: hasNumber) { CardMonth(expirationDate: $0) }
    let entry = cardText(.entry, isRequired: true) { text in
      text.baseAddress.flatMap { CardEntry.find($0, count: text.count) }
    }
    card = PaymentCard(number: number, month: month, entry: entry)
    _ = cardText(.cvv2, isRequired: hasNumber && entry == .keyed) { Self.isCode($0, of: number) ? $0.count : nil }
    _ = cardText(.postalCode, isRequired: false) { Self.isPostalCode($0) ? $0.count : nil }
    if let month, let createdAt, month < CardMonth(of: createdAt) {
      reject(.cardExpired, at: .card(.expirationDate))
    }
  }

  /// A field of the card, as what it spells; nil if it is absent or not valid, which is reported.
  private mutating func cardText<Value>(
    _ field: CardField, isRequired: Bool, orElse reason: RejectionReason = .invalidValue,
    _ value: (UnsafeBufferPointer<UInt8>) -> Value?
  ) -> Value? {
    let slice = scanner.cardField(field)
    if slice.isAbsent, isRequired { reject(.missingField, at: .card(field)) }
    guard let (bytes, count) = string(slice, at: .card(field)) else { return nil }
    let found = value(UnsafeBufferPointer(start: bytes, count: count))
    if found == nil { reject(reason, at: .card(field)) }
    return found
  }

  /// Whether a text is a `cvv2`: of 3 digits, of 4 on cards that have such; without a valid number of either.
  private static func isCode(_ text: UnsafeBufferPointer<UInt8>, of number: CardNumber?) -> Bool {
    let lengths = number.map { $0.hasLongCode ? 4...4 : 3...3 } ?? 3...4
    return lengths.contains(text.count) && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.digit != 0 }
  }

  private static func isPostalCode(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    1...16 ~= text.count && ASCIIClass.of(text[0]) & ASCIIClass.alphanumeric != 0
      && text.allSatisfy {
        ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")
      }
  }
}
