/// What distinguishes a payout from others: the same identity is the same payout (`payouts.md`).
public struct PayoutIdentity: Sendable, Equatable {
  /// The day of the payout, as `YYYY-MM-DD`.
  public var date: String
  /// The day the bank is to pay, in the same form.
  public var executionDate: String
  /// The run it is made up to.
  public var untilRun: Int
  /// The first run that counts, if an option states it.
  public var since: Int?
  /// The least balances paid, by currency in the order of the codes: `EUR=1.00,USD=2.00`.
  public var minimums: String
  /// The SHA-256 of the payees file, in hexadecimal digits; likewise for the others, if they are given.
  public var payees: String
  /// The SHA-256 of the files of returned payments, in the order given, with commas between.
  public var returned: String?
  /// The SHA-256 of the files of adjustments, likewise.
  public var adjustments: String?
  /// The SHA-256 of the accounts that pay.
  public var debtor: String?

  /// An identity.
  public init(
    date: String, executionDate: String, untilRun: Int, since: Int?, minimums: String, payees: String,
    returned: String?, adjustments: String? = nil, debtor: String?
  ) {
    (self.date, self.executionDate, self.untilRun, self.since) = (date, executionDate, untilRun, since)
    (self.minimums, self.payees, self.returned, self.debtor) = (minimums, payees, returned, debtor)
    self.adjustments = adjustments
  }
}

extension PayoutIdentity {
  /// Digests of several files as one text; nil without files.
  public static func joined(_ digests: [String]) -> String? {
    digests.isEmpty ? nil : digests.joined(separator: ",")
  }
}

/// A payout in the ledger, without its lists.
public struct PayoutEntry: Sendable, Equatable {
  /// When it was entered: RFC 3339, UTC, in seconds.
  public var time: String
  /// The version of the engine.
  public var engine: String
  /// What distinguishes it from other payouts.
  public var identity: PayoutIdentity
  /// The first run that counts.
  public var firstRun: Int
  /// The ledger's name in its files: 12 hexadecimal digits. A ledger of an earlier version changed them when it was
  /// adopted.
  public var ledger: String
  /// Whether it was entered with a directory that existed.
  public var isAdopted: Bool
  /// The exit code of `settle payout`.
  public var exitCode: Int32
  /// The number of its NACHA files.
  public var achFiles: Int
  /// The figures of each currency with an entry, in the order of the codes.
  public var totals: [PayoutTotal]
  /// The bytes of the absolute path of the directory it published.
  public var directory: [UInt8]
  /// The text of that directory's `SHA256SUMS`.
  public var sums: String
  /// The numbers of payments, returns, adjustments and balances entered with it.
  public internal(set) var (payments, returns, adjusted, carried) = (0, 0, 0, 0)

  /// The run it was made up to.
  public var untilRun: Int { identity.untilRun }

  /// An entry.
  public init(
    time: String, engine: String, identity: PayoutIdentity, firstRun: Int, ledger: String, isAdopted: Bool,
    exitCode: Int32, achFiles: Int, totals: [PayoutTotal], directory: [UInt8], sums: String
  ) {
    (self.time, self.engine, self.identity, self.firstRun) = (time, engine, identity, firstRun)
    (self.ledger, self.isAdopted, self.exitCode, self.achFiles) = (ledger, isAdopted, exitCode, achFiles)
    (self.totals, self.directory, self.sums) = (totals, directory, sums)
  }
}

/// A payout that is entered, with its number.
public struct NumberedPayout: Sendable, Equatable {
  /// Its number, from 1.
  public let number: Int
  public let entry: PayoutEntry
  /// Its place in book order among the payouts that were made or given up.
  let place: Int
  /// The run after which it counts: the one it was made up to, unless its payments did not fit the balances there.
  public let bookedRun: Int
  /// The last run that was entered before it; nil if an earlier version entered it, or it was adopted.
  var enteredAfter: Int?
}
