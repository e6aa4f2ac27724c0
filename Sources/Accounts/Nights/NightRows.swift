import BatchRun
import Failures
import FileSystem
import Money

/// The rows of `receivers.csv` of a run, copied to a file without a name, one by one.
final class NightRows: MergeSource {
  /// The place of the run in entry order.
  let place: Int
  /// The currency of the current row.
  private(set) var currency = Currency.all[0]
  private let spool: SpoolFile
  /// What is left in the file.
  private var rest: Range<Int>
  private var bytes: [UInt8] = []
  private var line = 0..<0
  private var accountEnd = 0
  /// The account's first sixteen bytes as a number, with zeros after its end.
  private var prefix: UInt128 = 0

  private static let pieceLength = 1 << 16

  /// - Parameter range: the bytes of its lines in the file.
  init(_ spool: SpoolFile, _ range: Range<Int>, place: Int) {
    (self.spool, rest, self.place) = (spool, range, place)
  }

  /// The account of the current row.
  var account: ArraySlice<UInt8> { bytes[line.lowerBound..<accountEnd] }
  /// The fields from `payments` to `refund_net`, with commas.
  var figures: ArraySlice<UInt8> { bytes[accountEnd + 5..<payoutStart - 1] }
  /// The field `payout`.
  var payout: ArraySlice<UInt8> { bytes[payoutStart..<line.upperBound] }

  private var payoutStart: Int { bytes[line].lastIndex(of: UInt8(ascii: ","))! + 1 }

  func next() throws(Failure) -> Bool {
    var start = min(line.upperBound + 1, bytes.count)
    while true {
      if let end = bytes[start...].firstIndex(of: 0x0A) {
        line = start..<end
        break
      }
      guard !rest.isEmpty else { return false }
      bytes.removeSubrange(..<start)
      start = 0
      let held = bytes.count
      let count = min(Self.pieceLength, rest.count)
      bytes.append(contentsOf: repeatElement(0, count: count))
      try bytes.withUnsafeMutableBufferPointer { buffer throws(Failure) in
        try spool.read(buffer.baseAddress! + held, count: count, at: rest.lowerBound)
      }
      rest = rest.lowerBound + count..<rest.upperBound
    }
    accountEnd = bytes[line].firstIndex(of: UInt8(ascii: ","))!
    let code = bytes[accountEnd + 1..<accountEnd + 4]
    currency = Currency.find(code.span)!
    prefix = account.prefix(16).reduce(0) { $0 << 8 | UInt128($1) } << UInt128(8 * (16 - min(16, account.count)))
    return true
  }

  func compare(_ other: NightRows) -> Int {
    if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
    let order = Self.compare(account, other.account)
    return order == 0 ? Int(currency.index) - Int(other.currency.index) : order
  }

  /// Compares two accounts by their bytes: negative, zero or positive.
  static func compare(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}
