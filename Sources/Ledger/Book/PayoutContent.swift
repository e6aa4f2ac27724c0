import SQLite

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
  /// The SHA-256 of the terms.
  public var terms: String?
  /// Whether it pays no one.
  public var hasNoPayments: Bool

  /// An identity.
  public init(
    date: String, executionDate: String, untilRun: Int, since: Int?, minimums: String, payees: String,
    returned: String?, adjustments: String? = nil, debtor: String?, terms: String? = nil, hasNoPayments: Bool = false
  ) {
    (self.date, self.executionDate, self.untilRun, self.since) = (date, executionDate, untilRun, since)
    (self.minimums, self.payees, self.returned, self.debtor) = (minimums, payees, returned, debtor)
    (self.adjustments, self.terms, self.hasNoPayments) = (adjustments, terms, hasNoPayments)
  }
}

extension PayoutIdentity {
  /// Digests of several files as one text; nil without files.
  public static func joined(_ digests: [String]) -> String? {
    digests.isEmpty ? nil : digests.joined(separator: ",")
  }
}

/// A payout in a ledger, without its lists.
public typealias PayoutEntry = Entry<PayoutContent>

/// What only payouts have.
public struct PayoutContent: EntryContent {
  public static let kind = EntryKind.payout

  /// What distinguishes it from other payouts.
  public var identity: PayoutIdentity
  /// The first run that counts.
  public var firstRun: Int
  /// The ledger's name in its files: 12 hexadecimal digits. A ledger of an earlier version changed them when it was
  /// adopted.
  public var ledger: String
  /// The exit code of `settle payout`.
  public var exitCode: Int32
  /// The number of its NACHA files.
  public var achFiles: Int
  /// The figures of each currency with an entry, in the order of the codes.
  public var totals: [PayoutTotal]
  /// The numbers of the entries of its lists; without those that the ledger does not keep.
  var counts: [ListKind: Int] = [:]
  /// The number of its payments that went to another bank account than the last payment of their account and currency;
  /// nil in a payout made by an earlier version.
  public var changedAccounts: Int?
  /// Whether its date counts as its day when it is one day after the day of entry; nil if an earlier version entered it.
  var keepsDay: Bool?
  /// Its place in book order among the payouts that were made or given up.
  var place = 0
  /// The run after which it counts, if its payments did not fit the balances after the run it was made up to.
  var movedTo: Int?
  /// The last run that was entered before it; nil if an earlier version entered it, or it was adopted.
  var enteredAfter: Int?

  /// The number of payments entered with it.
  public var payments: Int { counts[.payments] ?? 0 }
  /// The number of returned payments entered with it.
  public var returns: Int { counts[.returns] ?? 0 }
  /// The number of adjustments entered with it.
  public var adjusted: Int { counts[.adjustments] ?? 0 }
  /// The number of balances that it left.
  public var carried: Int { counts[.closings] ?? 0 }
  /// The number of bank accounts that are refused after it; nil if the ledger does not keep which.
  var refused: Int? { counts[.refusals] }

  /// The run it was made up to.
  public var untilRun: Int { identity.untilRun }
  /// The run after which it counts.
  public var bookedRun: Int { movedTo ?? untilRun }
}

extension Entry<PayoutContent> {
  /// A payout to be entered.
  public init(
    number: Int, time: String, engine: String, identity: PayoutIdentity, firstRun: Int, ledger: String,
    isAdopted: Bool, exitCode: Int32, achFiles: Int, totals: [PayoutTotal], directory: [UInt8], sums: String
  ) {
    (self.number, self.time, self.engine, self.isAdopted) = (number, time, engine, isAdopted)
    (self.directory, self.sums) = (directory, sums)
    content = PayoutContent(
      identity: identity, firstRun: firstRun, ledger: ledger, exitCode: exitCode, achFiles: achFiles, totals: totals)
  }

  /// All payouts, in book order. Throws if one is not what was written.
  static func inBookOrder(_ database: Database) throws -> [PayoutEntry] {
    try all(database).sorted { $0.place < $1.place }
  }
}
