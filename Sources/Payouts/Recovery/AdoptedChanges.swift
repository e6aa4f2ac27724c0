import Ledger

/// The returns and adjustments that an adopted payout books: what other payouts have booked is left out, and a key that
/// is booked with another row is changed (`payouts.md`, "`settle payout adopt DIR --ledger FILE`").
struct AdoptedChanges {
  private(set) var returns: [(note: ReturnNote, payment: BookedPayment)] = []
  private(set) var adjustments: [(note: AdjustmentNote, change: BookedPayment)] = []
  /// What is left out, as messages name it.
  private(set) var leftOut: [String] = []
  /// The keys that are changed, as messages name them.
  private(set) var renamed: [String] = []
  /// The accounts of what is left out.
  private(set) var accounts = Set<[UInt8]>()
  private let number: Int

  /// - Parameter number: the payout's number.
  init(of number: Int) { self.number = number }

  /// - Parameter booked: the payouts that booked returns before this one, by the returned payment.
  mutating func adopt(
    _ all: [(note: ReturnNote, payment: BookedPayment)], booked: [PaymentReference: Int]
  ) {
    for (note, payment) in all {
      guard let payout = booked[note.reference] else {
        returns.append((note, payment))
        continue
      }
      leftOut.append("the return of \(note.reference.text) (payout \(payout) has it)")
      accounts.insert(payment.account)
    }
  }

  /// - Parameter booked: the adjustments booked before this payout, by key.
  mutating func adopt(
    _ all: [(note: AdjustmentNote, change: BookedPayment)], booked: [String: BookedAdjustment]
  ) {
    var keys = Set(booked.keys)
    var others: [(note: AdjustmentNote, change: BookedPayment)] = []
    for (note, change) in all {
      if let before = booked[note.key] {
        if before.change == change {
          leftOut.append("the adjustment \(note.key) (payout \(before.payout) has it)")
          accounts.insert(change.account)
        } else {
          others.append((note, change))
        }
      } else {
        keys.insert(note.key)
        adjustments.append((note, change))
      }
    }
    for (note, change) in others {
      var key = note.key
      while keys.contains(key) { key += ".P\(number)" }
      keys.insert(key)
      renamed.append("\(note.key) as \(key)")
      adjustments.append((AdjustmentNote(key: key, reason: note.reason, listedKey: note.key), change))
    }
  }
}
