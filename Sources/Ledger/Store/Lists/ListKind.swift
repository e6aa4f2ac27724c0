/// The kind of a list of accounts, in the order in which the lists of one payout change balances.
public enum ListKind: Int64, CaseIterable, Sendable {
  /// What a run gave each account, or took from it.
  case run = 1
  /// The payments that came back, as a payout booked them; a note has payout, number and reason.
  case returns = 3
  /// What was decided outside of batches: what a payout booked, or the payments of one that was given up; a note has
  /// key and reason.
  case adjustments = 5
  /// The payments of a payout, in the order of their numbers; a note has the digest of the bank account.
  case payments = 2
  /// The balances that a payout left, kept for the last two payouts; a note has the run since which the balance
  /// exists.
  case closings = 4
  /// The returns for which bank accounts are refused after a payout, kept for the last payout; a note has the payout
  /// that booked the return, its reference and, if it is known, the digest of the bank account.
  case refusals = 6
  /// What the terms of a payout delayed of what runs earned, not limited by balances, kept for the last payout.
  case delayed = 7
  /// What they reserved, likewise.
  case reserved = 8

  /// Its place in arrays with a value for each kind: raw values count from 1.
  var place: Int { Int(rawValue) - 1 }

  /// What its entries do to balances.
  enum Effect {
    case adds, takes, none
  }

  /// What its entries do to balances.
  var effect: Effect {
    switch self {
    case .run, .returns, .adjustments: .adds
    case .payments: .takes
    case .closings, .refusals, .delayed, .reserved: .none
    }
  }

  /// The column with the number of its entries, in the table of each kind of entry that has such a list.
  var columns: [EntryKind: String] {
    switch self {
    case .run: [.run: "balances"]
    case .returns: [.payout: "returns"]
    case .adjustments: [.payout: "adjusted", .givenUp: "adjustments"]
    case .payments: [.payout: "payments"]
    case .closings: [.payout: "carried"]
    case .refusals: [.payout: "refused"]
    case .delayed: [.payout: "delayed"]
    case .reserved: [.payout: "reserved"]
    }
  }

  /// Those that a payout has.
  public static var ofPayouts: [ListKind] { allCases.filter { $0.columns[.payout] != nil } }
  /// What terms held after a payout that had some.
  public static let held: [ListKind] = [.delayed, .reserved]
  /// Those that are kept for the last payout only.
  static let ofLastPayout: [ListKind] = [.refusals] + held

  /// The notes of its entries. Payments entered by an earlier version, or without the bank files, have none.
  var notes: Notes {
    switch self {
    case .run, .delayed, .reserved: .none
    case .payments: .fixed(BankAccountDigest.length)
    case .returns, .closings, .adjustments, .refusals: .variable
    }
  }

  /// What entries have besides an amount.
  enum Notes: Equatable {
    case none
    /// A note of as many bytes each, in all entries of a block or in none.
    case fixed(Int)
    /// A length and a note of as many bytes.
    case variable
  }
}
