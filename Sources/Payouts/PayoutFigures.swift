import ExactArithmetic
import Ledger
import Money
import Reports

/// The figures of a payout.
public struct PayoutFigures: Sendable {
  /// A currency's figures; amounts have the currency's decimals.
  public struct Total: Sendable {
    /// The currency.
    public let currency: Currency
    /// The sum of all balances after the previous payout.
    public internal(set) var opening: ExactDecimal
    /// What the runs since then changed.
    public internal(set) var settled: ExactDecimal
    /// What came back.
    public internal(set) var returned: ExactDecimal
    /// What adjustments changed; nil in a payout of an earlier version.
    public internal(set) var adjusted: ExactDecimal?
    /// What is paid.
    public internal(set) var paid: ExactDecimal
    /// The sum of the balances that stay above zero.
    public internal(set) var carried: ExactDecimal
    /// The sum of the balances below zero, without the sign.
    public internal(set) var owing: ExactDecimal
    /// The number of payments.
    public internal(set) var instructions = 0
    /// The number of balances above zero.
    public internal(set) var accountsCarried = 0
    /// The number of balances below zero.
    public internal(set) var accountsOwing = 0

    init(_ currency: Currency) {
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      self.currency = currency
      (opening, settled, returned, paid, carried, owing) = (zero, zero, zero, zero, zero, zero)
    }

    /// The figures that the ledger has; nil if they are not amounts of a currency.
    fileprivate init?(_ entry: PayoutEntry.Total) {
      guard let currency = Currency(code: entry.currency) else { return nil }
      self.init(currency)
      for (figure, text) in [
        (\Total.opening, entry.opening), (\.settled, entry.settled), (\.returned, entry.returned), (\.paid, entry.paid),
        (\.carried, entry.carried), (\.owing, entry.owing),
      ] {
        guard let amount = ExactDecimal(text) else { return nil }
        self[keyPath: figure] = amount
      }
      adjusted = entry.adjusted.flatMap { ExactDecimal($0) }
      (instructions, accountsCarried) = (entry.instructions, entry.accountsCarried)
      accountsOwing = entry.accountsOwing
    }

    /// The sum of all balances after the payout.
    public var closing: ExactDecimal { carried - owing }

    var entry: PayoutEntry.Total {
      PayoutEntry.Total(
        currency: currency.code, opening: "\(opening)", settled: "\(settled)", returned: "\(returned)",
        paid: "\(paid)", closing: "\(closing)", carried: "\(carried)", owing: "\(owing)",
        instructions: instructions, accountsCarried: accountsCarried, accountsOwing: accountsOwing,
        adjusted: adjusted.map { "\($0)" })
    }
  }

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
  public internal(set) var totals: [Total] = []
  /// The number of balances carried for each reason, in the order in which reasons are checked.
  public internal(set) var reasons: [(reason: CarriedReason, count: Int)] = []
  /// The run since which the oldest debt exists, and when that run was entered (RFC 3339); nil if no account owes.
  public internal(set) var oldestDebt: (run: Int, time: String)?
  /// The files for the bank, by currency, method and number.
  public internal(set) var files: [File] = []
  /// The number of payments that the bank may refuse because they have no address.
  public internal(set) var withoutAddress = 0

  /// 1 if a balance waits for someone to act, else 0.
  public var exitCode: Int32 { reasons.contains { $0.reason.needsAction && $0.count > 0 } ? 1 : 0 }
}

extension PayoutFigures {
  /// The figures of a payout that is entered, with what only its summary and rows say.
  init(_ payout: NumberedPayout, _ summary: PayoutSummary, oldestDebt: Int?) {
    self.init(number: payout.number)
    totals = payout.entry.totals.compactMap { Total($0) }
    reasons = CarriedReason.allCases.compactMap { reason in summary.reasons[reason].map { (reason: reason, count: $0) }
    }
    files = summary.files
    self.oldestDebt = oldestDebt.map { ($0, "") }
  }
}

/// The totals of a payout, updated as its balances come one by one.
struct RunningTotals {
  private var totals = Currency.all.map(PayoutFigures.Total.init)
  private var isUsed = Currency.all.map { _ in false }
  private var reasons = CarriedReason.allCases.map { _ in 0 }
  /// The run since which the oldest debt exists.
  private(set) var oldestDebt: Int?
  /// Whether the payout has the form of earlier versions, without adjustments.
  private let isEarlierForm: Bool
  private var hasAdjustments = false

  init(isEarlierForm: Bool = false) { self.isEarlierForm = isEarlierForm }

  /// A currency's figures if it has no entries.
  static func none(_ currency: Currency) -> PayoutEntry.Total { PayoutFigures.Total(currency).entry }

  /// Adds the opening amount and the changes of a book's current balance.
  mutating func take(_ book: BookReading) {
    let place = Int(book.currency.index)
    isUsed[place] = true
    totals[place].opening.add(book.opening)
    totals[place].settled.add(book.settled)
    totals[place].returned.add(book.returned)
    if !book.adjusted.isZero { adjust(book.adjusted, book.currency) }
  }

  /// Adds an adjustment, if it is not in a book.
  mutating func adjust(_ amount: ExactDecimal, _ currency: Currency) {
    let place = Int(currency.index)
    isUsed[place] = true
    hasAdjustments = true
    totals[place].adjusted = (totals[place].adjusted ?? .zero(at: -currency.settlementExponent)) + amount
  }

  /// Adds a payment that came back, if it is not in a book.
  mutating func takeBack(_ amount: ExactDecimal, _ currency: Currency) {
    isUsed[Int(currency.index)] = true
    totals[Int(currency.index)].returned.add(amount)
  }

  /// Adds a balance that is paid.
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
  mutating func carry(_ balance: ExactDecimal, _ currency: Currency, _ reason: CarriedReason?, since: Int) {
    let place = Int(currency.index)
    isUsed[place] = true
    if balance.isNegative {
      totals[place].owing.subtract(balance)
      totals[place].accountsOwing += 1
      oldestDebt = min(oldestDebt ?? since, since)
    } else {
      totals[place].carried.add(balance)
      totals[place].accountsCarried += 1
    }
    if let reason { reasons[CarriedReason.allCases.firstIndex(of: reason)!] += 1 }
  }

  /// The figures of the payout, once all balances are added.
  ///
  /// - Parameter last: the previous payout.
  func figures(_ number: Int, after last: NumberedPayout?, _ files: [PayoutFigures.File]) -> PayoutFigures {
    // A currency with earlier entries stays, even if nothing of it is left.
    let before = Set((last?.entry.totals ?? []).map(\.currency))
    var figures = PayoutFigures(number: number)
    figures.totals = totals.filter { isUsed[Int($0.currency.index)] || before.contains($0.currency.code) }
    if hasAdjustments || !isEarlierForm {
      for place in figures.totals.indices where figures.totals[place].adjusted == nil {
        figures.totals[place].adjusted = .zero(at: -figures.totals[place].currency.settlementExponent)
      }
    }
    figures.reasons = zip(CarriedReason.allCases, reasons).filter { $0.1 > 0 }.map { (reason: $0, count: $1) }
    figures.files = files
    figures.oldestDebt = oldestDebt.map { ($0, "") }
    return figures
  }
}
