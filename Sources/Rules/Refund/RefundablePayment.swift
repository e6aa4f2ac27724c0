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
    /// What it was charged by name, which adds up to the assessed fee; empty if the payment was settled without named
    /// fees.
    public let charges: [Charge]
  }

  /// What a receiver was charged under a name.
  public struct Charge: Sendable {
    public let name: [UInt8]
    /// Without VAT.
    public let fee: ExactDecimal
    public let vat: ExactDecimal
    /// Whether refunds return it.
    public let isReturned: Bool
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
  // Of a payment with named fees, a receiver with a fee also has its charges: their number, then of each the length of
  // the name and whether it is returned, the name, fee and VAT. Ledgers compress the names to a few bytes.

  fileprivate static let isPrimaryBit: UInt8 = 1
  fileprivate static let isOverriddenBit: UInt8 = 2
  fileprivate static let isLongBit: UInt8 = 4
  fileprivate static let isChargedBit: UInt8 = 8
  /// In the byte of a name's length.
  fileprivate static let isReturnedBit: UInt8 = 0x80

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
      var charges: [Charge] = []
      if marks & Self.isChargedBit != 0 {
        guard let count = reader.byte() else { return nil }
        for _ in 0..<count {
          guard let charge = reader.charge(currency, isLong: isLong) else { return nil }
          charges.append(charge)
        }
      }
      receivers.append(
        Receiver(
          account: account,
          role: kind != .chained ? .receiver : marks & Self.isPrimaryBit != 0 ? .primary : .secondary,
          refundable: refundable, assessedFee: fee, isOverridden: marks & Self.isOverriddenBit != 0,
          charges: charges))
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

  /// Whether bytes are those of a payment whose charges add up to its assessed fees.
  public static func areChargesWhole(_ bytes: Span<UInt8>) -> Bool {
    guard hasCharges(bytes) else { return true }
    guard let payment = RefundablePayment([UInt8](bytes)) else { return false }
    return payment.receivers.allSatisfy { receiver in
      receiver.charges.isEmpty
        || receiver.charges.reduce(payment.zero) { $0 + $1.fee + $1.vat } == receiver.assessedFee
    }
  }

  /// Whether a receiver has charges; also true of bytes that are cut short.
  private static func hasCharges(_ bytes: Span<UInt8>) -> Bool {
    var at = 2
    // The sender and the preapproval key.
    for _ in 0..<2 {
      guard at < bytes.count else { return true }
      at += 1 + Int(bytes[at])
    }
    for _ in 0..<(bytes[1] >> 5) {
      guard at + 1 < bytes.count, bytes[at] & isChargedBit == 0 else { return true }
      let isLong = bytes[at] & isLongBit != 0
      at += 2 + Int(bytes[at + 1])
      for _ in 0..<2 {
        guard at < bytes.count else { return true }
        if isLong {
          at += 1 + Int(bytes[at])
        } else {
          while at < bytes.count, bytes[at] & 0x80 != 0 { at += 1 }
          at += 1
        }
      }
    }
    return false
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

    mutating func text() -> [UInt8]? { byte().flatMap { bytes(Int($0)) } }

    private mutating func bytes(_ count: Int) -> [UInt8]? {
      guard at + count <= bytes.count else { return nil }
      defer { at += count }
      return Array(bytes[at..<at + count])
    }

    mutating func charge(_ currency: Currency, isLong: Bool) -> Charge? {
      guard let head = byte(), let name = bytes(Int(head & ~RefundablePayment.isReturnedBit)),
        let fee = amount(currency, isLong: isLong), let vat = amount(currency, isLong: isLong)
      else { return nil }
      return Charge(name: name, fee: fee, vat: vat, isReturned: head & RefundablePayment.isReturnedBit != 0)
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
    let charges = judgement.receivers.chargedCount * RefundablePayment.longestCharge
    text.appendRow(atMost: 4 + texts + count * RefundablePayment.longestReceiver + charges) { row in
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
    let isCharged = fees.isNamed && !judgement.receivers.figures[place].assessedFee.isZero
    let isLong = RefundablePayment.appendFlags(
      of: &judgement.receivers.figures[place], isCharged: isCharged, to: &row)
    row.append(counted: judgement.account(of: place))
    RefundablePayment.appendAmounts(of: &judgement.receivers.figures[place], isLong: isLong, to: &row)
    if isCharged { appendCharges(of: place, isLong: isLong, to: &row) }
  }

  @inline(never)
  private mutating func appendCharges(of place: Int, isLong: Bool, to row: inout RowWriter) {
    let charges = judgement.charges
    let (first, end) = judgement.receivers.charges(of: place)
    row.append(UInt8(end - first))
    for charge in first..<end {
      let name = judgement.name(ofCharge: charge)
      row.append(UInt8(name.count) | (charges[charge].isReturned ? RefundablePayment.isReturnedBit : 0))
      row.append(name)
      RefundablePayment.append(charges[charge].fee, isLong: isLong, to: &row)
      RefundablePayment.append(charges[charge].vat, isLong: isLong, to: &row)
    }
  }
}

extension RefundablePayment {
  /// The most bytes that a receiver takes: its flags, and its account and two amounts, each with its length.
  fileprivate static let longestReceiver = 2 + 4 * 256
  /// The most bytes of a charge: its name and two amounts, each with its length.
  fileprivate static let longestCharge = 1 + 32 + 2 * 256

  /// Appends what is special in a receiver; returns whether its amounts are written as texts.
  @inline(__always)
  fileprivate static func appendFlags(
    of receiver: inout ReceiverFigures, isCharged: Bool, to row: inout RowWriter
  ) -> Bool {
    let isLong = !(receiver.kept.isInline && receiver.assessedFee.isInline)
    row.append(
      (receiver.isPrimary ? isPrimaryBit : 0) | (receiver.isOverridden ? isOverriddenBit : 0)
        | (isLong ? isLongBit : 0) | (isCharged ? isChargedBit : 0))
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
