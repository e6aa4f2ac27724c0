/// The kinds of entries in a ledger; each has a table of its name.
public enum EntryKind: String, Sendable, CustomStringConvertible {
  /// A settled batch.
  case run
  /// Payments of balances.
  case payout
  /// A payout whose directory is lost, and whose number the operator gave up.
  case givenUp

  /// The name of its table.
  public var description: String { rawValue }

  /// The tables with further rows of an entry, and the columns that order these.
  var parts: [(table: String, order: String)] {
    switch self {
    case .run: [("runFile", "place"), ("runTotal", "currency"), ("runRule", "name")]
    case .payout: [("payoutTotal", "currency")]
    case .givenUp: []
    }
  }

  /// The kinds of its lists of amounts of accounts, and the columns with the numbers of their entries.
  var lists: [(list: ListKind, column: String)] {
    ListKind.allCases.compactMap { list in list.columns[self].map { (list, $0) } }
  }

  /// The columns that distinguish an entry from another of its number, for the lock file. The directory may change
  /// later.
  var distinguishing: String {
    switch self {
    case .run: "number, time, content, schedule, options"
    case .payout:
      "number, time, date, executionDate, untilRun, firstRun, minimums, payees, returned, debtor, payments"
    case .givenUp: "number, time, run, place, adjustments"
    }
  }
}

/// Which entry of a ledger.
public struct EntryID: Sendable, Hashable, CustomStringConvertible {
  /// Its kind.
  public let kind: EntryKind
  /// Its number among the entries of its kind, from 1.
  public let number: Int

  /// An entry of a kind.
  public init(_ kind: EntryKind, _ number: Int) { (self.kind, self.number) = (kind, number) }

  /// A run.
  public static func run(_ number: Int) -> EntryID { EntryID(.run, number) }

  /// A payout.
  public static func payout(_ number: Int) -> EntryID { EntryID(.payout, number) }

  /// For messages: `run 3`.
  public var description: String { kind == .givenUp ? "the given-up payout \(number)" : "\(kind.rawValue) \(number)" }

  /// Its lists of amounts of accounts.
  var lists: [AccountList] { kind.lists.map { AccountList(kind: $0.list, number: number) } }
}
