import ExactArithmetic
import Money
import Records
import Text

/// The facts about a settled payment that a refund needs. They are kept with the ledger, and during the run that
/// settled it.
public struct RefundablePayment: Sendable {
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
  public init?(_ bytes: [UInt8]) {
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
    let bytes: [UInt8]
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
    let texts = judgement.sender.count + judgement.preapprovalKey.count
    text.appendRow(atMost: 4 + texts + count * RefundablePayment.longestReceiver) { row in
      row.append(judgement.currency!.ledgerNumber)
      row.append(
        judgement.kind!.number | judgement.feePayer!.number << 2
          | (judgement.receivers.figures[0].type == .personal ? 1 << 4 : 0) | UInt8(count) << 5)
      row.append(counted: judgement.sender)
      row.append(counted: judgement.preapprovalKey)
      for place in 0..<count { appendReceiver(place, to: &row) }
    }
  }

  @inline(__always)
  private mutating func appendReceiver(_ place: Int, to row: inout RowWriter) {
    let isLong = RefundablePayment.appendFlags(of: &judgement.receivers.figures[place], to: &row)
    row.append(counted: judgement.account(of: place))
    RefundablePayment.appendAmounts(of: &judgement.receivers.figures[place], isLong: isLong, to: &row)
  }
}

extension RefundablePayment {
  /// The most bytes that a receiver takes: its flags, and its account and two amounts, each with its length.
  fileprivate static let longestReceiver = 1 + 4 * 256

  /// Appends what is special in a receiver; returns whether its amounts are written as texts.
  @inline(__always)
  fileprivate static func appendFlags(of receiver: inout ReceiverFigures, to row: inout RowWriter) -> Bool {
    let isLong = !(receiver.kept.isInline && receiver.assessedFee.isInline)
    row.append(
      (receiver.isPrimary ? isPrimaryBit : 0) | (receiver.isOverridden ? isOverriddenBit : 0)
        | (isLong ? isLongBit : 0))
    return isLong
  }

  @inline(__always)
  fileprivate static func appendAmounts(of receiver: inout ReceiverFigures, isLong: Bool, to row: inout RowWriter) {
    append(receiver.kept, isLong: isLong, to: &row)
    append(receiver.assessedFee, isLong: isLong, to: &row)
  }

  @inline(__always)
  fileprivate static func append(_ amount: ExactDecimal, isLong: Bool, to row: inout RowWriter) {
    guard isLong else { return row.append(varint: amount._magnitude) }
    var digits = TextBuffer()
    digits.append(amount)
    row.append(counted: digits.span)
  }
}
