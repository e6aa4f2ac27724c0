import ExactArithmetic
import Money
import Records
import Text

/// The facts about a settled payment that a refund needs. They are kept with the ledger, and during the run that
/// settled it.
public struct RefundablePayment: Sendable {
  /// A receiver of the payment.
  public struct Receiver: Sendable {
    /// The account in lower case.
    public let account: [UInt8]
    /// The receiver's role.
    public let role: PartyRole
    /// What it kept, which is also the most it may refund.
    public let refundable: ExactDecimal
    /// The fee assessed on that, whichever party bore it.
    public let assessedFee: ExactDecimal
    /// Whether it bore its own fee although the sender was to bear it.
    let isOverridden: Bool
  }

  public let kind: PaymentKind
  /// The currency of all amounts.
  public let currency: Currency
  /// Who bore the fees.
  public let feePayer: FeePayer
  /// Whether its receivers are personal.
  public let isPersonal: Bool
  /// The sender's account in lower case; empty if none was given.
  public let sender: [UInt8]
  /// The agreement that it named; empty if it named none.
  public let preapprovalKey: [UInt8]
  /// The receivers in their order.
  public let receivers: [Receiver]

  /// What the sender sent, without fees: the most that may be refunded.
  public var senderAmount: ExactDecimal { receivers.reduce(zero) { $0 + $1.refundable } }

  /// Zero in the currency.
  var zero: ExactDecimal { .zero(at: -currency.settlementExponent) }

  /// The receiver, by its place, that bore a receiver's fee; nil if the sender did.
  public func bearer(of place: Int) -> Int? {
    switch feePayer {
    case .eachReceiver: place
    case .sender: receivers[place].isOverridden ? place : nil
    case .primaryReceiver: receivers.firstIndex { $0.role == .primary }
    case .secondaryOnly: receivers.firstIndex { $0.role == .secondary }
    }
  }

  // MARK: Serialized form
  //
  // Currency, flags, sender, preapproval key, then the receivers, each as flags, account, kept amount, fee. Accounts
  // and keys have one byte for their length; amounts are minor units as `Varint`, or text if they do not fit 64 bits.

  fileprivate static let isPrimaryBit: UInt8 = 1
  fileprivate static let isOverriddenBit: UInt8 = 2
  fileprivate static let isLongBit: UInt8 = 4

  /// Reads what `RecordJudge.appendRefundable` wrote; nil if it is something else.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = Reader(bytes: bytes)
    guard let currency = reader.byte().flatMap(Currency.init(ledgerNumber:)), let flags = reader.byte(),
      let kind = PaymentKind(number: flags & 3), let feePayer = FeePayer(number: flags >> 2 & 3),
      let sender = reader.text(), let preapprovalKey = reader.text()
    else { return nil }
    var receivers: [Receiver] = []
    for _ in 0..<(flags >> 5) {
      guard let marks = reader.byte(), let account = reader.text() else { return nil }
      let isLong = marks & Self.isLongBit != 0
      guard let refundable = reader.amount(currency, isLong: isLong), let fee = reader.amount(currency, isLong: isLong)
      else { return nil }
      receivers.append(
        Receiver(
          account: account,
          role: kind != .chained ? .receiver : marks & Self.isPrimaryBit != 0 ? .primary : .secondary,
          refundable: refundable, assessedFee: fee, isOverridden: marks & Self.isOverriddenBit != 0))
    }
    guard reader.isAtEnd, !receivers.isEmpty else { return nil }
    self.kind = kind
    self.currency = currency
    self.feePayer = feePayer
    isPersonal = flags >> 4 & 1 == 1
    self.sender = sender
    self.preapprovalKey = preapprovalKey
    self.receivers = receivers
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var at = 0

    var isAtEnd: Bool { at == bytes.count }

    mutating func byte() -> UInt8? {
      guard at < bytes.count else { return nil }
      defer { at += 1 }
      return bytes[at]
    }

    mutating func text() -> [UInt8]? {
      guard let count = byte(), at + Int(count) <= bytes.count else { return nil }
      defer { at += Int(count) }
      return Array(bytes[at..<at + Int(count)])
    }

    mutating func amount(_ currency: Currency, isLong: Bool) -> ExactDecimal? {
      let exponent = -currency.settlementExponent
      if isLong { return text().flatMap { ExactDecimal(String(decoding: $0, as: UTF8.self))?.exact(at: exponent) } }
      return Varint.read { byte() }.map { ExactDecimal(magnitude: $0, exponent: exponent) }
    }
  }
}

extension RecordJudge {
  /// Appends the facts about the settled payment that a refund needs (`RefundablePayment`). The judge does not change.
  public mutating func appendRefundable(to text: inout TextBuffer) {
    let count = judgement.receivers.count
    let start = text.reserve(
      4 + judgement.sender.count + judgement.preapprovalKey.count + count * RefundablePayment.longestReceiver)
    var end = start + 2
    start[0] = judgement.currency!.ledgerNumber
    start[1] =
      judgement.kind!.number | judgement.feePayer!.number << 2
      | (judgement.receivers[0].pointee.type == .personal ? 1 << 4 : 0) | UInt8(count) << 5
    RefundablePayment.write(judgement.sender.bytes, count: judgement.sender.count, to: &end)
    RefundablePayment.write(judgement.preapprovalKey.bytes, count: judgement.preapprovalKey.count, to: &end)
    for place in 0..<count {
      let receiver = judgement.receivers[place]
      let isLong = !(receiver.pointee.kept.isInline && receiver.pointee.assessedFee.isInline)
      end.pointee =
        (receiver.pointee.isPrimary ? RefundablePayment.isPrimaryBit : 0)
        | (receiver.pointee.isOverridden ? RefundablePayment.isOverriddenBit : 0)
        | (isLong ? RefundablePayment.isLongBit : 0)
      end += 1
      let posting = receiver.pointee.posting
      RefundablePayment.write(posting.pointee.account, count: posting.pointee.accountLength, to: &end)
      if isLong {
        for amount in [receiver.pointee.kept, receiver.pointee.assessedFee] {
          end.pointee = UInt8(amount.writePlain(to: end + 1))
          end += 1 + Int(end.pointee)
        }
      } else {
        RefundablePayment.write(receiver.pointee.kept._magnitude, to: &end)
        RefundablePayment.write(receiver.pointee.assessedFee._magnitude, to: &end)
      }
    }
    text.advance(by: end - start)
  }
}

extension RefundablePayment {
  /// The most bytes that a receiver takes: its flags, and its account and two amounts, each with its length.
  fileprivate static let longestReceiver = 1 + 4 * 256

  @inline(__always)
  fileprivate static func write(_ magnitude: UInt64, to end: inout UnsafeMutablePointer<UInt8>) {
    Varint.write(magnitude) {
      end.pointee = $0
      end += 1
    }
  }

  @inline(__always)
  fileprivate static func write(
    _ bytes: UnsafePointer<UInt8>, count: Int, to end: inout UnsafeMutablePointer<UInt8>
  ) {
    end.pointee = UInt8(count)
    ByteCopy.copy(bytes, count: count, to: end + 1)
    end += 1 + count
  }
}
