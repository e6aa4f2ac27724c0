import Records

/// What payments of a sample batch may have in addition to items, receivers and fees.
public struct SampleFeatures: OptionSet, Sendable {
  /// A bit for each, in the order of `names`.
  public let rawValue: Int

  /// The features of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Receivers that get a part of a total (`splits.md`).
  public static let splits = SampleFeatures(rawValue: 1)
  /// Shipping addresses, and amounts adjusted by them (`amounts.md`).
  public static let amounts = SampleFeatures(rawValue: 2)
  /// Cards, swiped and keyed in (`cards.md`).
  public static let cards = SampleFeatures(rawValue: 4)

  /// Refunds of payments of this night and earlier ones (`refunds.md`).
  public static let refunds = SampleFeatures(rawValue: 8)
  /// Agreements, and payments under them (`preapprovals.md`).
  public static let preapprovals = SampleFeatures(rawValue: 16)

  /// Categories of receivers (`fees.md`).
  public static let fees = SampleFeatures(rawValue: 32)

  public static let names = ["splits", "amounts", "cards", "refunds", "preapprovals", "fees"]

  /// The features with these names; nil if a name is unknown.
  public init?(names: [Substring]) {
    self = []
    for name in names {
      guard let place = Self.names.firstIndex(of: String(name)) else { return nil }
      insert(SampleFeatures(rawValue: 1 << place))
    }
  }
}

/// Which sample batch to make. The same options make the same bytes, with any number of threads.
public struct SampleBatchOptions: Sendable {
  /// The number of payments, from 0; a batch without payments has a header and a trailer.
  public var payments: Int
  /// Chooses among batches with otherwise equal options.
  public var seed: UInt64
  /// The number of payments per million with a defect, 0 to 1,000,000.
  ///
  /// If it is above 0 and there are at least as many payments as error codes, each code occurs, if necessary at a
  /// higher rate.
  public var defectsPerMillion: UInt32
  /// The approximate number of accounts, of merchants and persons; at least 100.
  public var accounts: Int
  /// The features. Each is in a third of the payments without a defect, or in records of its own. Another set makes
  /// another batch.
  public var features: SampleFeatures
  /// The number of the night, from 1. A later night refunds payments of earlier ones, which it draws again: all other
  /// options must be the same as for the earlier nights, or it refunds payments that do not exist.
  public var night = 1
  /// The number of nights, up to 300, so that agreements and refunds stay within their time limits.
  public var nights = 1
  /// The day on which the payments of the first night are made; a night's batch is made the day after, and the next
  /// night's payments are of that day. All nights need the same one.
  public var firstDay = Self.usualFirstDay
  /// The number of threads, from 1; each needs about 20 MB of memory.
  public var threads: Int

  /// Options for `payments` payments.
  ///
  /// - Parameter accounts: nil for one account per four payments.
  public init(
    payments: Int, seed: UInt64, defectsPerMillion: UInt32 = 0, accounts: Int? = nil, features: SampleFeatures = [],
    threads: Int = 1
  ) {
    precondition(payments >= 0, "a negative number of payments")
    precondition(defectsPerMillion <= 1_000_000, "a rate of defects above 1")
    self.payments = payments
    self.seed = seed
    self.defectsPerMillion = defectsPerMillion
    self.accounts = accounts.map { max(100, $0) } ?? Self.usualAccounts(payments)
    self.features = features
    self.threads = max(1, threads)
  }
}

extension SampleBatchOptions {
  /// 2026-11-19.
  private static let usualFirstDay = CalendarDay(number: 20_776)

  private static func usualAccounts(_ payments: Int) -> Int { max(100, payments / 4) }

  /// The batch's identifier, from all options except the threads. So different content has a different identifier, as a
  /// ledger requires, and nights with different options can be recognized. Without `sample-`, even the longest fits; with
  /// another first day as well, the longest lose digits of the seed.
  var batchID: String {
    var id = "sample-\(seed)-\(payments)"
    if accounts != Self.usualAccounts(payments) { id += "-a\(accounts)" }
    if defectsPerMillion > 0 { id += "-d\(defectsPerMillion)" }
    if !features.isEmpty { id += "-f\(features.rawValue)" }
    if nights > 1 { id += "-\(night)of\(nights)" }
    if firstDay != Self.usualFirstDay { id += "-t\(firstDay.number)" }
    return String(id.suffix(PayKey.maximumLength))
  }

  /// The day on which the payments of a night are made.
  func day(ofNight night: Int) -> CalendarDay { CalendarDay(number: firstDay.number + night - 1) }

  /// The first month, in months since year 0, until whose end cards of a night are valid.
  func firstCardMonth(ofNight night: Int) -> UInt64 {
    func months(_ day: CalendarDay) -> Int { 12 * day.year + day.month - 1 }
    return UInt64(max(months(day(ofNight: night)), months(firstDay) + (night - 1 + firstDay.day) / 30))
  }

  /// The seed from which payments of a night are drawn.
  func seed(ofNight night: Int) -> UInt64 {
    night == 1 ? seed : SampleRandom.mixed(seed ^ SampleRandom.mixed(UInt64(night)))
  }
}

/// What was written.
public struct SampleBatchSummary: Sendable, Equatable {
  /// The payments, including defective ones.
  public let payments: Int
  /// The payments that are defective.
  public let defects: Int
  /// The length of the batch's text, in bytes.
  public let bytes: UInt64
  /// The length of the output; equal to `bytes` if it is not compressed.
  public let storedBytes: UInt64
}
