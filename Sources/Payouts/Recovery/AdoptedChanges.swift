import Ledger

/// The returns and adjustments that an adopted payout books: what other payouts have booked is left out, and a key that
/// is booked with another row is changed (`payouts.md`, "`settle payout adopt DIR --ledger FILE`").
struct AdoptedChanges {
  let returns: [Change<ReturnNote>]
  let adjustments: [Change<AdjustmentNote>]
  /// What is left out, as messages name it.
  private(set) var leftOut: [String] = []
  /// The keys that are changed, as messages name them.
  private(set) var renamed: [String] = []
  /// The accounts of what is left out.
  private(set) var accounts = Set<[UInt8]>()

  /// - Parameters:
  ///   - number: the payout's number.
  ///   - returns: what its directory has; likewise for the others.
  ///   - bookedReturns: what is booked before this payout, by key; likewise for the others.
  init(
    of number: Int, _ returns: [Change<ReturnNote>], booked bookedReturns: [PaymentReference: BookedChange<ReturnNote>],
    _ adjustments: [Change<AdjustmentNote>], booked bookedAdjustments: [String: BookedChange<AdjustmentNote>]
  ) {
    var (leftOut, accounts) = ([String](), Set<[UInt8]>())
    func divide<Note: ListedNote>(
      _ all: [Change<Note>], _ booked: [Note.Key: BookedChange<Note>]
    ) -> (new: [Change<Note>], others: [Change<Note>]) {
      var (new, others) = ([Change<Note>](), [Change<Note>]())
      for change in all {
        guard let before = booked[change.note.key] else {
          new.append(change)
          continue
        }
        guard before.change.isSame(as: change) else {
          others.append(change)
          continue
        }
        leftOut.append("the \(change.note.title) (payout \(before.payout) has it)")
        accounts.insert(change.amount.account)
      }
      return (new, others)
    }
    self.returns = divide(returns, bookedReturns).new
    var (new, others) = divide(adjustments, bookedAdjustments)
    var keys = Set(bookedAdjustments.keys).union(new.map(\.note.key))
    for other in others {
      let note = other.note
      var key = note.key
      while keys.contains(key) { key += ".P\(number)" }
      keys.insert(key)
      renamed.append("\(note.key) as \(key)")
      new.append(Change(AdjustmentNote(key: key, reason: note.reason, listedKey: note.key), other.amount))
    }
    self.adjustments = new
    (self.leftOut, self.accounts) = (leftOut, accounts)
  }
}
