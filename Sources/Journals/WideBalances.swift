import ExactArithmetic
import Money

/// What accounts got in the higher parts of wide amounts: read from the transactions, in batch order, as they are written.
struct WideBalances {
  /// By `ACCOUNT CURRENCY`, as they stand in a journal; the lowest part is not counted.
  private var sums: [String: WideAmount] = [:]
  /// The highest part of each currency, by `Currency.index`.
  private(set) var highestParts = [Int](repeating: 0, count: Currency.count)

  /// Whether no amount was written in parts.
  var isEmpty: Bool { sums.isEmpty }

  /// Takes the postings of a transaction.
  mutating func take(_ transaction: UnsafeBufferPointer<UInt8>) {
    for line in transaction.split(separator: 0x0A) where line.first == UInt8(ascii: " ") {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      // A posting has three; the line with the pay key begins with a flag.
      guard words.count == 3, let amount = ExactDecimal(words[1]), let part = Self.part(words[2]) else { continue }
      guard let currency = Currency(code: String(words[2].prefix(3))) else { continue }
      sums["\(words[0]) \(currency.code)", default: WideAmount()].add(amount, at: part)
      highestParts[Int(currency.index)] = max(highestParts[Int(currency.index)], part)
    }
  }

  /// The number of the part that a commodity counts; nil for the lowest.
  private static func part(_ commodity: String) -> Int? {
    guard let mark = commodity.firstIndex(of: ".") else { return nil }
    return Int(commodity[commodity.index(mark, offsetBy: 2)...]).map { $0 / WideAmount.digits }
  }

  /// The parts of the balance of an account in a currency.
  func balance(_ account: String, _ currency: Currency, of balance: ExactDecimal) -> WideAmount {
    var parts = sums["\(account) \(currency.code)"] ?? WideAmount()
    parts.add(parts.lowest(of: balance), at: 0)
    return parts
  }
}
