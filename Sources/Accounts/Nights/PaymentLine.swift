import FileSystem
import Money
import Text

/// An account's row of a payment or refund as it is sorted: the account's length, the currency, the place of the night
/// in four bytes, the account, and the fields of ``NightPayment`` with commas between them.
struct PaymentLine: ~Escapable {
  private static let headLength = 6
  /// The most bytes of an account.
  static let longestAccount = 255

  private let record: Span<UInt8>

  @_lifetime(copy record)
  init(_ record: Span<UInt8>) { self.record = record }

  var account: Span<UInt8> {
    @_lifetime(copy self) get { record.extracting(Self.headLength..<Self.headLength + Int(record[0])) }
  }
  var currency: Currency { Currency(index: Int(record[1]))! }
  /// The place of its night in the order of runs and payouts.
  var place: Int { Int(record.littleEndian(at: 2, as: UInt32.self)) }
  var fields: Span<UInt8> {
    @_lifetime(copy self) get { record.extracting(droppingFirst: Self.headLength + Int(record[0])) }
  }

  /// Begins a record; its fields follow.
  static func begin(_ account: Span<UInt8>, _ currency: Currency, place: Int, in buffer: inout TextBuffer) {
    buffer.append(UInt8(account.count))
    buffer.append(currency.index)
    buffer.append(littleEndian: UInt32(place))
    buffer.append(account)
  }

  /// Below zero if it comes before the rows of an account and currency in a night, 0 if it is one of them.
  func compare(_ other: Span<UInt8>, _ otherCurrency: Currency, _ otherPlace: Int) -> Int {
    let order = account.compare(other)
    if order != 0 { return order }
    return currency == otherCurrency ? place - otherPlace : Int(currency.index) - Int(otherCurrency.index)
  }

  /// By account, currency and night. A night's rows stay in their order.
  static let order = RecordOrder { record in
    PaymentLine(record).account.prefix
  } compare: { left, right in
    let other = PaymentLine(right)
    return PaymentLine(left).compare(other.account, other.currency, other.place)
  }
}
