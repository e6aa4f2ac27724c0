import BatchFile
import ExactArithmetic
import Money
import Payments
import Settlement

/// `settlement.csv`: a row for each party of a settled payment, the sender first, in batch order.
public enum SettlementReport {
  /// The file's name.
  public static let fileName = "settlement.csv"
  /// The header row.
  public static var header: StaticString { "pay_key,kind,role,account,currency,gross,passed_on,fee,net\n" }

  /// Where a receiver's `account,currency` stands in the text; good until the text grows.
  public struct AccountPlace {
    /// The text as it stands now.
    public let text: UnsafePointer<UInt8>
    /// The offset of the account in it.
    public let offset: Int
    /// The length of account, comma and currency.
    public let length: Int
  }

  /// Appends the rows of the settled payment that the assessor holds.
  ///
  /// No field needs quotes: pay keys, accounts, codes and amounts have neither commas nor quotes in them.
  /// - Parameter receiver: told of each receiver and where its `account,currency` stands.
  @inlinable
  public static func append(
    _ assessor: borrowing PaymentAssessor, to text: inout TextBuffer,
    receiver take: (borrowing ReceiverFigures, AccountPlace) -> Void
  ) {
    let kind = assessor.kind.unsafelyUnwrapped
    let currency = assessor.currency.unsafelyUnwrapped.codeBytes
    appendSender(assessor, kind: kind, currency: currency, to: &text)
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place)
      let account = appendReceiver(receiver, of: assessor, kind: kind, currency: currency, to: &text)
      take(receiver, account)
    }
  }

  @usableFromInline
  static func appendSender(
    _ assessor: borrowing PaymentAssessor, kind: PaymentKind, currency: (UInt8, UInt8, UInt8),
    to text: inout TextBuffer
  ) {
    appendParty(assessor, kind: kind, role: .sender, to: &text)
    _ = appendAccount(assessor.sender.bytes, count: assessor.sender.count, currency: currency, to: &text)
    var gross = assessor.senderAmount
    gross.negate()
    text.append(gross)
    text.append(UInt8(ascii: ","))
    text.append(ExactDecimal(magnitude: 0, exponent: gross.exponent))
    text.append(UInt8(ascii: ","))
    text.append(assessor.senderFees)
    text.append(UInt8(ascii: ","))
    gross.subtract(assessor.senderFees)
    text.append(gross)
    text.append(UInt8(ascii: "\n"))
  }

  @usableFromInline
  static func appendReceiver(
    _ receiver: borrowing ReceiverFigures, of assessor: borrowing PaymentAssessor, kind: PaymentKind,
    currency: (UInt8, UInt8, UInt8), to text: inout TextBuffer
  ) -> AccountPlace {
    appendParty(assessor, kind: kind, role: receiver.role(in: kind), to: &text)
    let (offset, length) = appendAccount(receiver.account, count: receiver.accountLength, currency: currency, to: &text)
    text.append(receiver.gross)
    text.append(UInt8(ascii: ","))
    text.append(receiver.passedOn)
    text.append(UInt8(ascii: ","))
    text.append(receiver.fee)
    text.append(UInt8(ascii: ","))
    text.append(receiver.net)
    text.append(UInt8(ascii: "\n"))
    return AccountPlace(text: UnsafePointer(text.bytes), offset: offset, length: length)
  }

  @inline(__always)
  private static func appendParty(
    _ assessor: borrowing PaymentAssessor, kind: PaymentKind, role: PartyRole, to text: inout TextBuffer
  ) {
    text.append(assessor.payKey.bytes, count: assessor.payKey.count)
    text.append(UInt8(ascii: ","))
    text.append(kind.name)
    text.append(UInt8(ascii: ","))
    text.append(role.name)
    text.append(UInt8(ascii: ","))
  }

  @inline(__always)
  private static func appendAccount(
    _ account: UnsafePointer<UInt8>, count: Int, currency: (UInt8, UInt8, UInt8), to text: inout TextBuffer
  ) -> (offset: Int, length: Int) {
    let offset = text.count
    text.append(account, count: count)
    let into = text.reserve(5)
    into[0] = UInt8(ascii: ",")
    into[1] = currency.0
    into[2] = currency.1
    into[3] = currency.2
    into[4] = UInt8(ascii: ",")
    text.advance(by: 5)
    return (offset, count + 4)
  }
}
