import ExactArithmetic
import Glibc
import Ledger
import Money

/// Collects what a run gives each account, from the rows of `receivers.csv` while they are written.
final class ReceiverBalances: ReportWriter {
  /// The entries so far; the caller that enters them must finish them.
  let entries: AccountEntries
  private let report: any ReportWriter
  private var isBehindHeader: Bool

  /// - Parameters:
  ///   - report: receives everything that this writer receives.
  ///   - hasHeader: whether the text begins with the header row.
  init(_ entries: AccountEntries, of report: any ReportWriter, hasHeader: Bool = true) {
    (self.entries, self.report, isBehindHeader) = (entries, report, !hasHeader)
  }

  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try report.write(bytes, count: count)
    if isBehindHeader { try entries.append(rows: bytes, count: count) }
    isBehindHeader = true
  }
}

extension AccountEntries {
  /// Takes whole rows of `receivers.csv`: each account, currency and payout other than zero.
  func append(rows bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    var row = bytes
    let end = bytes + count
    while row < end {
      let comma = Self.find(0x2C, from: row, before: end)
      let lineEnd = Self.find(0x0A, from: comma, before: end)
      var figure = lineEnd
      while figure[-1] != 0x2C { figure -= 1 }
      let currency = Currency.find(comma + 1, count: 3)!
      let amount = Self.amount(UnsafeBufferPointer(start: figure, count: lineEnd - figure), currency)
      if !amount.isZero {
        try asRunFailure(append(UnsafeBufferPointer(start: row, count: comma - row), currency, amount))
      }
      row = lineEnd + 1
    }
  }

  private static func find(
    _ byte: Int32, from start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    UnsafePointer(memchr(start, byte, end - start)!.assumingMemoryBound(to: UInt8.self))
  }

  /// The amount in a text with exactly the currency's decimals.
  private static func amount(_ text: UnsafeBufferPointer<UInt8>, _ currency: Currency) -> ExactDecimal {
    guard text.count <= 18 else { return ExactDecimal(String(decoding: text, as: UTF8.self))! }
    var number = 0
    for byte in text where byte >= 0x30 { number = 10 * number + Int(byte - 0x30) }
    return ExactDecimal(text[0] == 0x2D ? -number : number, exponent: -currency.settlementExponent)
  }
}
