import ExactArithmetic
import Ledger
import Money
import Documents

public struct PayoutFigures: Sendable {
  /// A file for the bank.
  public struct File: Sendable {
    /// Its name in the directory.
    public let name: String
    /// The currency of its payments.
    public let currency: Currency
    /// How it pays.
    public let method: PayoutMethod
    /// The number of its payments.
    public let instructions: Int
    /// Their sum.
    public let amount: ExactDecimal
  }

  /// The payout's number.
  public let number: Int
  /// The figures of each currency with an entry, in the order of the codes.
  public internal(set) var totals: [PayoutTotal] = []
  /// The number of balances carried for each reason, in the order in which reasons are checked.
  public internal(set) var reasons: [(reason: CarriedReason, count: Int)] = []
  /// The run since which the oldest debt exists, and when that run was entered (RFC 3339); nil if no account owes.
  public internal(set) var oldestDebt: (run: Int, time: String)?
  /// The files for the bank, by currency, method and number.
  public internal(set) var files: [File] = []
  /// The number of payments that the bank may refuse because they have no address.
  var withoutAddress = 0
  /// The number of payments to another bank account than that of the last payment of their account and currency; nil in
  /// a payout of an earlier version.
  public internal(set) var changedAccounts: Int?
  /// These payments.
  var changed = FirstTen()
  /// The balances that wait because a payment came back.
  var stopped = FirstTen()
  /// Those of them whose `hold` names another reference.
  var wrongRetries = FirstTen()
  /// The adjustments that cross zero.
  var crossings = Crossings()

  /// What someone should look at before the next payout.
  public var warnings: [String] {
    var warnings: [String] = []
    if let warning = crossings.warning { warnings.append(warning) }
    if changed.count > 0 {
      warnings.append(
        "payments to another bank account than the last one of their account and currency: \(changed.count): "
          + "\(changed.text). If the payee did not ask for it, stop the payment at the bank")
    }
    if stopped.count > 0 {
      warnings.append(
        "RETURNED: \(stopped.text). A payment to this bank account came back. Give another one in the payees file or, if "
          + "the bank was wrong, set hold to the words after the currency")
    }
    if wrongRetries.count > 0 {
      warnings.append("hold names another return than the last one of its bank account: \(wrongRetries.text)")
    }
    if withoutAddress > 0 {
      warnings.append(
        "payments outside of SEPA without an address: \(withoutAddress). Banks may refuse them: give town and country in "
          + "the payees file")
    }
    return warnings
  }

  /// 1 if a balance waits for someone to act, else 0.
  public var exitCode: Int32 { reasons.contains { $0.reason.needsAction && $0.count > 0 } ? 1 : 0 }
}

extension PayoutFigures {
  /// The figures of a payout that is entered, with what only its summary and rows say.
  init(_ payout: PayoutEntry, _ summary: PayoutSummary, oldestDebt: Int?) {
    self.init(number: payout.number)
    (totals, changedAccounts) = (payout.totals, payout.changedAccounts)
    reasons = CarriedReason.allCases.compactMap { reason in summary.reasons[reason].map { (reason: reason, count: $0) }
    }
    files = summary.files
    self.oldestDebt = oldestDebt.map { ($0, "") }
  }
}

/// The totals of a payout, updated as its balances come one by one.
struct RunningTotals {
  private var totals = Currency.all.map(PayoutTotal.init)
  private var isUsed = Currency.all.map { _ in false }
  private var reasons = CarriedReason.allCases.map { _ in 0 }
  /// The run since which the oldest debt exists.
  private(set) var oldestDebt: Int?
  /// Whether the payout has the form of earlier versions, without adjustments.
  private let isEarlierForm: Bool
  private let hasTerms: Bool

  init(isEarlierForm: Bool = false, hasTerms: Bool = false) {
    (self.isEarlierForm, self.hasTerms) = (isEarlierForm, hasTerms)
  }

  /// Adds the opening amount and the changes of a book's current balance.
  mutating func add(_ book: BookReading) {
    let place = Int(book.currency.index)
    isUsed[place] = true
    totals[place].opening.add(book.opening)
    // Payments are added as they are made.
    for kind in [ListKind.run, .returns, .adjustments] where !book.sum(kind).isZero {
      totals[place].add(book.sum(kind), kind)
    }
  }

  /// Adds a change that is not in a book.
  mutating func add<Note>(_ change: Change<Note>) {
    let place = Int(change.amount.currency.index)
    isUsed[place] = true
    totals[place].add(change.amount.amount, Note.list)
  }

  /// Adds a payment.
  mutating func pay(_ balance: ExactDecimal, _ currency: Currency) {
    let place = Int(currency.index)
    isUsed[place] = true
    totals[place].paid.add(balance)
    totals[place].instructions += 1
  }

  /// Adds a balance that is carried.
  ///
  /// - Parameters:
  ///   - reason: why; nil if that is not known.
  ///   - since: the run since which the balance exists.
  ///   - held: what terms hold of it; nil without terms.
  mutating func carry(
    _ balance: ExactDecimal, _ currency: Currency, _ reason: CarriedReason?, since: Int, held: HeldAmounts? = nil
  ) {
    let place = Int(currency.index)
    isUsed[place] = true
    totals[place].closing.add(balance)
    if balance.isNegative {
      totals[place].owing.subtract(balance)
      totals[place].accountsOwing += 1
      oldestDebt = min(oldestDebt ?? since, since)
    } else {
      totals[place].carried.add(balance)
      totals[place].accountsCarried += 1
    }
    if let held {
      totals[place].setHeld()
      totals[place].delayed!.add(held.delayed)
      totals[place].reserved!.add(held.reserved)
      totals[place].kept!.add(held.kept)
    }
    if let reason { reasons[CarriedReason.allCases.firstIndex(of: reason)!] += 1 }
  }

  /// The figures of the payout, once all balances are added.
  ///
  /// - Parameter last: the previous payout.
  func figures(_ number: Int, after last: PayoutEntry?, _ files: [PayoutFigures.File]) -> PayoutFigures {
    // A currency with earlier entries stays, even if nothing of it is left.
    let before = Set((last?.totals ?? []).map(\.currency))
    var figures = PayoutFigures(number: number)
    figures.totals = totals.filter { isUsed[Int($0.currency.index)] || before.contains($0.currency) }
    if !isEarlierForm || totals.contains(where: { $0.adjusted != nil }) {
      for place in figures.totals.indices where figures.totals[place].adjusted == nil {
        figures.totals[place].adjusted = .zero(at: -figures.totals[place].currency.settlementExponent)
      }
    }
    if hasTerms { for place in figures.totals.indices { figures.totals[place].setHeld() } }
    figures.reasons = zip(CarriedReason.allCases, reasons).filter { $0.1 > 0 }.map { (reason: $0, count: $1) }
    figures.files = files
    figures.oldestDebt = oldestDebt.map { ($0, "") }
    return figures
  }
}

extension PayoutTotal {
  /// Makes it one of a payout with terms.
  mutating func setHeld() {
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (delayed, reserved, kept) = (delayed ?? zero, reserved ?? zero, kept ?? zero)
  }
}
