import Ledger
import Records

/// The id of a file for the bank, or of a block in it: `S<ledger>-P<payout>-CUR-NNNN`, perhaps with `-S` or `-T`.
struct FileID {
  /// The 12 digits of the ledger.
  let ledger: [UInt8]
  let payout: Int

  /// Nil if the text does not have the form.
  init?(_ text: [UInt8]) {
    var parts = text.split(separator: UInt8(ascii: "-"), maxSplits: 5, omittingEmptySubsequences: false)
    if parts.count == 5, parts[4].elementsEqual("S".utf8) || parts[4].elementsEqual("T".utf8) { parts.removeLast() }
    guard parts.count == 4, parts[0].count == 13, parts[0].first == UInt8(ascii: "S"),
      parts[0].dropFirst().allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }),
      parts[2].count == 3, parts[2].allSatisfy({ $0 &- 0x41 < 26 }),
      parts[3].count >= 4, parts[3].allSatisfy({ $0 &- 0x30 < 10 }),
      let reference = PaymentReference(Array(parts[1]) + Array("-1".utf8))
    else { return nil }
    (ledger, payout) = (Array(parts[0].dropFirst()), reference.payout)
  }
}

/// The payouts that answers may be about.
struct KnownPayouts {
  /// The highest number of a payout; 0 without payouts.
  let last: Int
  private let payouts: [Int: (ledger: [UInt8], day: Int)]

  init(_ payouts: [Int: (ledger: [UInt8], day: Int)]) {
    (self.payouts, last) = (payouts, payouts.keys.max() ?? 0)
  }

  /// - Parameter until: the last payout that counts.
  init(_ all: [PayoutEntry], until: Int = .max) {
    let known = all.filter { $0.number <= until }.map { payout in
      let day = CalendarDay(UTCTime(day: payout.identity.date)!).number
      return (payout.number, (ledger: Array(payout.ledger.utf8), day: day))
    }
    self.init(Dictionary(uniqueKeysWithValues: known))
  }

  /// Whether the payout exists and wrote the ledger's digits like that.
  func has(_ id: FileID) -> Bool { payouts[id.payout]?.ledger == id.ledger }

  func has(payout number: Int) -> Bool { payouts[number] != nil }

  /// The day of a payout, by number; it must exist.
  func day(of payout: Int) -> Int { payouts[payout]!.day }
}

extension PaymentReference {
  /// The reference of a text; nil if it does not have the form.
  init?(_ text: [UInt8]) { self.init(text.span) }
}
