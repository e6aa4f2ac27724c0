import Records

/// What payments of a sample batch may have beyond items, receivers and fees.
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

  /// What each is called.
  public static let names = ["splits", "amounts", "cards", "refunds", "preapprovals"]

  /// The features of these names; nil if a name is none.
  public init?(names: [Substring]) {
    self = []
    for name in names {
      guard let place = Self.names.firstIndex(of: String(name)) else { return nil }
      insert(SampleFeatures(rawValue: 1 << place))
    }
  }
}

/// What sample batch to make; the same options make the same bytes, whatever the number of threads.
public struct SampleBatchOptions: Sendable {
  /// How many payments, from 0; a batch without any has a header and a trailer.
  public var payments: Int
  /// Chooses among the batches that are alike otherwise.
  public var seed: UInt64
  /// How many payments of a million have a defect, 0 to 1,000,000.
  ///
  /// Where it is above 0 and there are at least as many payments as error codes, each code comes up, if need be at a
  /// higher rate.
  public var defectsPerMillion: UInt32
  /// About how many different accounts, merchants and persons; at least 100.
  public var accounts: Int
  /// What a third of the payments without a defect have, each, or what stands beside payments; another set makes another
  /// batch.
  public var features: SampleFeatures
  /// Which of the nights it is, from 1. A later night refunds payments of earlier ones, which it draws again: all other
  /// options must be those of the earlier nights, or it refunds payments that never were.
  public var night = 1
  /// How many nights there are, up to 300, so that agreements and refunds stay within their time.
  public var nights = 1
  /// On how many threads it is made, from 1; each takes some 20 MB of memory.
  public var threads: Int

  /// Options for `payments` payments.
  ///
  /// - Parameter accounts: nil for one account to every four payments.
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
  private static func usualAccounts(_ payments: Int) -> Int { max(100, payments / 4) }

  /// The batch's identifier: everything but the threads, so that other content has another identifier, as a ledger asks,
  /// and nights that were not made with the same options show it. Without its `sample-` the longest fits.
  var batchID: String {
    var id = "sample-\(seed)-\(payments)"
    if accounts != Self.usualAccounts(payments) { id += "-a\(accounts)" }
    if defectsPerMillion > 0 { id += "-d\(defectsPerMillion)" }
    if !features.isEmpty { id += "-f\(features.rawValue)" }
    if nights > 1 { id += "-\(night)of\(nights)" }
    return String(id.suffix(PayKey.maximumLength))
  }

  /// What payments of a night are drawn from.
  func seed(ofNight night: Int) -> UInt64 {
    night == 1 ? seed : SampleRandom.mixed(seed ^ SampleRandom.mixed(UInt64(night)))
  }
}

/// What was written.
public struct SampleBatchSummary: Sendable, Equatable {
  /// The payments, with those that are defective.
  public let payments: Int
  /// The payments that are defective.
  public let defects: Int
  /// The length of the batch's text, in bytes.
  public let bytes: UInt64
  /// The length of what was written: as `bytes` if it is not compressed.
  public let storedBytes: UInt64
}
