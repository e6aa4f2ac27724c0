import Failures
import FileSystem
import Money

/// The rows of `receivers.csv` of a run, copied to a file without a name, one by one.
final class NightRows: MergeSource {
  /// The place of the run in entry order.
  let place: Int
  /// The currency of the current row.
  private(set) var currency = Currency.all[0]
  private let reader: SpoolReader
  private var line: [UInt8] = []
  private var accountEnd = 0

  /// - Parameter range: the bytes of its lines in the file.
  init(_ spool: SpoolFile, _ range: Range<Int>, place: Int) {
    reader = SpoolReader(spool, range, pieceLength: 1 << 16)
    self.place = place
  }

  /// The account of the current row.
  var account: ArraySlice<UInt8> { line[..<accountEnd] }
  /// The fields from `payments` to `refund_net`, with commas.
  var figures: ArraySlice<UInt8> { line[accountEnd + 5..<payoutStart - 1] }
  /// The field `payout`.
  var payout: ArraySlice<UInt8> { line[payoutStart...] }

  private var payoutStart: Int { line.lastIndex(of: UInt8(ascii: ","))! + 1 }

  func next() throws(Failure) -> Bool {
    let reader = reader
    guard let row = try reader.line() else { return false }
    line.removeAll(keepingCapacity: true)
    line.append(row)
    accountEnd = line.firstIndex(of: UInt8(ascii: ","))!
    let code = line[accountEnd + 1..<accountEnd + 4]
    currency = Currency.find(code.span)!
    return true
  }

  var prefix: UInt128 {
    let account = account
    return account.span.prefix
  }

  func compare(_ other: NightRows) -> Int {
    let others = other.account
    return compare(others.span, other.currency, place)
  }

  /// Below zero if the current row comes before that of an account and currency in a night, 0 if it is that one.
  func compare(_ other: Span<UInt8>, _ otherCurrency: Currency, _ otherPlace: Int) -> Int {
    let own = account
    let order = own.span.compare(other)
    if order != 0 { return order }
    return currency == otherCurrency ? place - otherPlace : Int(currency.index) - Int(otherCurrency.index)
  }
}
