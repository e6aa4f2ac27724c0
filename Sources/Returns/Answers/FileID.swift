import Ledger
import Money
import Records
import Documents

/// The id of a file for the bank, or of a block in it: `S<ledger>-P<payout>-CUR-NNNN`, perhaps with `-S` or `-T`, in any
/// letter case.
struct FileID {
  /// The 12 digits of the ledger, in small letters.
  let ledger: [UInt8]
  let payout: Int
  /// `EUR-0001`.
  let file: [UInt8]
  /// The letter of the block, in capitals; nil in the id of a file.
  let block: UInt8?

  /// Nil if the text does not have the form.
  init?(_ text: [UInt8]) {
    guard let first = text.first, first & 0xDF == UInt8(ascii: "S"), text.count >= 24 else { return nil }
    let capitals = text.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }
    var parts = capitals.split(separator: UInt8(ascii: "-"), maxSplits: 5, omittingEmptySubsequences: false)
    let hasBlock = parts.count == 5 && [[UInt8(ascii: "S")], [UInt8(ascii: "T")]].contains(parts[4])
    block = hasBlock ? parts[4].first : nil
    if block != nil { parts.removeLast() }
    guard parts.count == 4, parts[0].count == 13,
      parts[0].dropFirst().allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x41 < 6 }),
      parts[2].count == 3, parts[2].allSatisfy({ $0 &- 0x41 < 26 }),
      parts[3].count >= 4, parts[3].allSatisfy({ $0 &- 0x30 < 10 }),
      let reference = PaymentReference(Array(parts[1]) + Array("-1".utf8))
    else { return nil }
    ledger = parts[0].dropFirst().map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    (payout, file) = (reference.payout, parts[2] + [UInt8(ascii: "-")] + parts[3])
  }

  /// The payments that it names.
  var place: BankFilePlace {
    BankFilePlace(payout: payout, name: BankFilePlace.name(.iban, file), block: block)
  }
}

/// A file for the bank of a payout, or a block of it.
struct BankFilePlace: Hashable {
  let payout: Int
  /// Empty if no payout has such a file.
  let name: String
  /// The letter of the block; nil for the whole file.
  var block: UInt8?

  /// The name of a file; empty if there is no such currency, or its number is written otherwise.
  ///
  /// - Parameter file: `EUR-0001`.
  fileprivate static func name(_ method: PayoutMethod, _ file: [UInt8]) -> String {
    let text = String(decoding: file, as: UTF8.self)
    guard let currency = Currency(code: String(text.prefix(3))), let number = Int(text.dropFirst(4)),
      PayoutReport.fileID(currency, number) == text
    else { return "" }
    return PayoutReport.bankFile(method, currency, number)
  }
}

/// The payouts that answers may be about.
struct AnswerablePayouts {
  /// The highest number of a payout; 0 without payouts.
  let last: Int
  private let payouts: [Int: (ledger: [UInt8], day: Int)]
  private let givenUp: Set<Int>
  /// The digits that the ledger has in its files, and had.
  private let ledgers: Set<[UInt8]>

  /// - Parameter name: the ledger's present digits.
  init(_ payouts: [Int: (ledger: [UInt8], day: Int)], givenUp: Set<Int> = [], name: String? = nil) {
    (self.payouts, self.givenUp, last) = (payouts, givenUp, payouts.keys.max() ?? 0)
    ledgers = Set(payouts.values.map(\.ledger) + (name.map { [Array($0.utf8)] } ?? []))
  }

  /// - Parameter all: the payouts that count.
  init(_ all: [PayoutEntry], givenUp: [GivenUpPayout], name: LedgerName) {
    let known = all.map { payout in
      let day = CalendarDay(UTCTime(day: payout.identity.date)!).number
      return (payout.number, (ledger: Array(payout.ledger.utf8), day: day))
    }
    self.init(
      Dictionary(uniqueKeysWithValues: known), givenUp: Set(givenUp.map(\.number)), name: name.digits)
  }

  /// Whether this ledger wrote the id.
  func wrote(_ id: FileID) -> Bool {
    guard !isGivenUp(id.payout), let payout = payouts[id.payout] else { return ledgers.contains(id.ledger) }
    return payout.ledger == id.ledger
  }

  func has(payout number: Int) -> Bool { payouts[number] != nil }

  func isGivenUp(_ number: Int) -> Bool { givenUp.contains(number) }

  /// The day of a payout, by number; it must exist.
  func day(of payout: Int) -> Int { payouts[payout]!.day }
}

extension PaymentReference {
  /// The reference of a text; nil if it does not have the form.
  init?(_ text: [UInt8]) { self.init(text.span) }
}
