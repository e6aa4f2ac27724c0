import Failures

extension AccountEntries {
  /// Appends all changes, in any order, and finishes.
  public func finish<Note>(with changes: [Change<Note>]) throws(Failure) {
    let sorted = changes.sorted { left, right in
      if left.amount.account != right.amount.account {
        return left.amount.account.lexicographicallyPrecedes(right.amount.account)
      }
      return (left.amount.currency, left.note.key) < (right.amount.currency, right.note.key)
    }
    for change in sorted { try append(change) }
    try finish()
  }

  /// Appends the next change.
  public func append<Note>(_ change: Change<Note>) throws(Failure) {
    let amount = change.amount
    try append(amount.account.span, amount.currency, amount.amount, note: change.note.bytes)
  }
}
