import Failures
import FileSystem
import Ledger

/// What a ledger keeps of a payout, in lists next to its output.
struct PayoutLists {
  private let all: [ListKind: AccountEntries]

  /// - Parameter hasTerms: whether it has lists of what terms hold.
  init(beside place: OutputPlace, hasTerms: Bool = false) throws(Failure) {
    var all: [ListKind: AccountEntries] = [:]
    for kind in ListKind.ofPayouts where hasTerms || !ListKind.held.contains(kind) {
      all[kind] = try AccountEntries(kind, beside: place)
    }
    self.all = all
  }

  subscript(kind: ListKind) -> AccountEntries { all[kind]! }

  /// What terms hold; nil without terms.
  var held: [ListKind: AccountEntries]? {
    let held = all.filter { ListKind.held.contains($0.key) }
    return held.isEmpty ? nil : held
  }

  /// What changes balances besides the payments, in the order in which it counts.
  var changes: [AccountEntries] { [self[.returns], self[.adjustments]] }

  /// Call after the last payment and balance.
  ///
  /// - Parameter left: the bank accounts that are refused from now on.
  func finish(_ left: Refusals) throws(Failure) {
    for kind in [ListKind.payments, .closings] { try self[kind].finish() }
    try left.write(to: self[.refusals])
  }

  /// - Parameters:
  ///   - bookedRun: the run after which it counts; nil for the run it was made up to.
  ///   - name: the name that the ledger takes, if it takes another one.
  func enter(
    _ entry: PayoutEntry, bookedRun: Int? = nil, name: LedgerName? = nil, in ledger: Ledger
  ) throws(Failure) -> Int {
    // An adopted payout does not know which bank accounts are refused after it.
    let lists = all.filter { $0.key != .refusals || !entry.isAdopted }
    return try ledger.enter(entry, lists, bookedRun: bookedRun, name: name)
  }
}
