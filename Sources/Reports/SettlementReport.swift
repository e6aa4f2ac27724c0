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

    /// A place in a text.
    public init(text: UnsafePointer<UInt8>, offset: Int, length: Int) {
      self.text = text
      self.offset = offset
      self.length = length
    }
  }

  /// Appends the rows of the settled payment that the assessor holds.
  ///
  /// No field needs quotes: pay keys, accounts, codes and amounts have neither commas nor quotes in them.
  /// - Parameter receiver: told of each receiver and where its `account,currency` stands.
  @inlinable
  public static func append(
    _ assessor: borrowing PaymentAssessor, to text: inout TextBuffer,
    receiver take: (UnsafePointer<ReceiverFigures>, AccountPlace) -> Void
  ) {
    let kind = assessor.kind.unsafelyUnwrapped
    let currency = assessor.currency.unsafelyUnwrapped.codeBytes
    appendSender(assessor, kind: kind, currency: currency, to: &text)
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place)
      take(receiver, appendReceiver(receiver, of: assessor, kind: kind, currency: currency, to: &text))
    }
  }

  @usableFromInline
  static func appendSender(
    _ assessor: borrowing PaymentAssessor, kind: PaymentKind, currency: (UInt8, UInt8, UInt8),
    to text: inout TextBuffer
  ) {
    var gross = assessor.senderAmount
    gross.negate()
    let zero = ExactDecimal(magnitude: 0, exponent: gross.exponent)
    var net = gross
    net.subtract(assessor.senderFees)
    let figures =
      gross.maximumPlainLength + zero.maximumPlainLength + assessor.senderFees.maximumPlainLength
      + net.maximumPlainLength
    var row = Row(text.reserve(Row.fixedLength + assessor.payKey.count + assessor.sender.count + figures))
    row.appendParty(assessor, kind: kind, role: .sender)
    row.appendAccount(assessor.sender.bytes, count: assessor.sender.count, currency: currency)
    row.append(gross, UInt8(ascii: ","))
    row.append(zero, UInt8(ascii: ","))
    row.append(assessor.senderFees, UInt8(ascii: ","))
    row.append(net, UInt8(ascii: "\n"))
    text.advance(by: row.count)
  }

  @usableFromInline
  static func appendReceiver(
    _ receiver: UnsafePointer<ReceiverFigures>, of assessor: borrowing PaymentAssessor, kind: PaymentKind,
    currency: (UInt8, UInt8, UInt8), to text: inout TextBuffer
  ) -> AccountPlace {
    let figures =
      receiver.pointee.gross.maximumPlainLength + receiver.pointee.passedOn.maximumPlainLength
      + receiver.pointee.fee.maximumPlainLength + receiver.pointee.net.maximumPlainLength
    var row = Row(text.reserve(Row.fixedLength + assessor.payKey.count + receiver.pointee.accountLength + figures))
    row.appendParty(assessor, kind: kind, role: receiver.pointee.role(in: kind))
    let account = text.count + row.count
    row.appendAccount(receiver.pointee.account, count: receiver.pointee.accountLength, currency: currency)
    row.append(receiver.pointee.gross, UInt8(ascii: ","))
    row.append(receiver.pointee.passedOn, UInt8(ascii: ","))
    row.append(receiver.pointee.fee, UInt8(ascii: ","))
    row.append(receiver.pointee.net, UInt8(ascii: "\n"))
    text.advance(by: row.count)
    return AccountPlace(
      text: UnsafePointer(text.bytes), offset: account, length: receiver.pointee.accountLength + 4)
  }

  /// A row being written into room that was made for all of it.
  private struct Row {
    /// The most bytes of kind, role, currency, commas and line feed.
    static let fixedLength = 8 + 9 + 3 + 9

    private let start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>) {
      self.start = start
      end = start
    }

    var count: Int { end - start }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int, _ separator: UInt8) {
      ByteCopy.copy(bytes, count: count, to: end)
      end += count
      end.pointee = separator
      end += 1
    }

    @inline(__always)
    mutating func append(_ figure: ExactDecimal, _ separator: UInt8) {
      end += figure.writePlain(to: end)
      end.pointee = separator
      end += 1
    }

    @inline(__always)
    mutating func appendParty(_ assessor: borrowing PaymentAssessor, kind: PaymentKind, role: PartyRole) {
      append(assessor.payKey.bytes, count: assessor.payKey.count, UInt8(ascii: ","))
      append(kind.name.utf8Start, count: kind.name.utf8CodeUnitCount, UInt8(ascii: ","))
      append(role.name.utf8Start, count: role.name.utf8CodeUnitCount, UInt8(ascii: ","))
    }

    @inline(__always)
    mutating func appendAccount(_ account: UnsafePointer<UInt8>, count: Int, currency: (UInt8, UInt8, UInt8)) {
      append(account, count: count, UInt8(ascii: ","))
      end[0] = currency.0
      end[1] = currency.1
      end[2] = currency.2
      end[3] = UInt8(ascii: ",")
      end += 4
    }
  }
}
