import Accounts
import ExactArithmetic
import Ledger
import Money
import Records
import Text

/// The accounts of a ledger: what is owed to whom, and what changed it (`docs/spec/accounts.md`).
///
/// The ledger is only read. Runs and payouts count by their booking day, so the balances of a day stay the same once a
/// later day has entries. A call throws `.busy` or `.inputOutput` if a run or payout wrote to the ledger meanwhile;
/// repeat it then.
public struct LedgerAccounts {
  private let ledger: LedgerReading

  /// Opens a ledger, as `settle run --ledger` or ``Batch`` made it.
  ///
  /// Throws `.unreadable` if there is no such file, and `.inputOutput` if it is not a ledger or is damaged.
  ///
  /// - Parameter path: the ledger's file. A missing one is not created.
  public init(ledger path: String) throws(SettlementFailure) { ledger = try LedgerReading.opened(path) }

  /// Hands over every balance that is not zero, in the order of account (bytes) and currency.
  ///
  /// Memory does not grow with the accounts. Throws `.usage` if the day is not one.
  ///
  /// - Parameters:
  ///   - day: the day at whose end the balances are meant, as `YYYY-MM-DD`; nil for now.
  ///   - take: receives each balance.
  public func balances(until day: String? = nil, _ take: (LedgerBalance) -> Void) throws(SettlementFailure) {
    let book = try ledger.balances(until: Self.day(day))
    while try book.next() {
      guard !book.closing.isZero else { continue }
      take(LedgerBalance(book))
    }
    try ledger.expectUnchanged()
  }

  /// The balances of one account that are not zero, by currency; empty if all are zero.
  ///
  /// Reads the entries of the accounts up to this one, and no directory of a night. Throws `.usage` if the day or the
  /// account is not one, or if the ledger has no entry of the account.
  ///
  /// - Parameters:
  ///   - account: an email address or phone number, as in `receivers.csv`, in any letter case.
  ///   - day: the day at whose end the balances are meant, as `YYYY-MM-DD`; nil for now.
  public func balances(of account: String, until day: String? = nil) throws(SettlementFailure) -> [LedgerBalance] {
    let name = try Self.name(of: account)
    let book = try ledger.balances(until: Self.day(day))
    try ledger.expectKnown(name, readsNights: false)
    var balances: [LedgerBalance] = []
    while try book.next(), !name.lexicographicallyPrecedes(book.account) {
      if book.account == name, !book.closing.isZero { balances.append(LedgerBalance(book)) }
    }
    try ledger.expectUnchanged()
    return balances
  }

  /// What changed an account's balances in a period, by currency, in entry order.
  ///
  /// Reads the entries of all accounts once, and no directory of a night. Throws `.usage` if a day or the account is not
  /// one, or if the ledger has no entry of the account.
  ///
  /// - Parameters:
  ///   - account: an email address or phone number, as in `receivers.csv`.
  ///   - since: the first booking day, as `YYYY-MM-DD`; nil from the beginning.
  ///   - until: the last booking day; nil up to now.
  public func entries(
    of account: String, since: String? = nil, until: String? = nil
  ) throws(SettlementFailure) -> [LedgerEntry] {
    let name = try Self.name(of: account)
    let (since, until) = (try Self.day(since), try Self.day(until))
    try ledger.expectKnown(name, readsNights: false)
    let period = try AccountPeriod(ledger, since: since, until: until, of: .these([name]), nil)
    var entries: [LedgerEntry] = []
    let section = period.section
    while try period.next() { entries += section.rows.map { LedgerEntry($0, section.currency) } }
    try ledger.expectUnchanged()
    return entries
  }

  private static func name(of account: String) throws(SettlementFailure) -> [UInt8] {
    guard let name = Account.canonical(account.utf8) else {
      throw .usage("\(MessageText.quoted(account.utf8)) is neither an email address nor a phone number")
    }
    return name
  }

  private static func day(_ text: String?) throws(SettlementFailure) -> CalendarDay? {
    guard let text else { return nil }
    if CalendarDay.ofLedgers ~= text, let day = CalendarDay(text) { return day }
    throw .usage("\(MessageText.quoted(text.utf8)) is not a day from 2000-01-01 to 2099-12-31, written as YYYY-MM-DD")
  }
}

/// A balance that is not zero.
public struct LedgerBalance: Sendable {
  /// The email address or phone number, as in `receivers.csv`.
  public let account: String
  /// The currency of the amount.
  public let currency: Currency
  /// What is owed to the account; below zero, what it owes.
  public let amount: ExactDecimal
  /// The run in which the balance last left zero or changed its sign.
  public let since: Int

  init(_ book: BookReading) {
    (account, currency) = (String(decoding: book.account, as: UTF8.self), book.currency)
    (amount, since) = (book.closing, book.since)
  }
}

/// What a run or a payout added to a balance.
public struct LedgerEntry: Sendable {
  /// What changed the balance.
  public enum Kind: Sendable, Equatable {
    /// A run's payments and refunds.
    case run
    /// A payment of a payout that came back, with its reference (`P1-4`) and reason.
    case returned(reference: String, reason: String)
    /// What was decided outside of batches, with its key and reason.
    case adjusted(key: String, reason: String)
    /// A payment to the bank, with its reference.
    case paid(reference: String)
  }

  /// What changed the balance.
  public let kind: Kind
  /// The number of the run, or of the payout that books it.
  public let number: Int
  /// The booking day, as `YYYY-MM-DD`.
  public let day: String
  /// The currency of the amounts.
  public let currency: Currency
  /// What it added; below zero if it took something.
  public let amount: ExactDecimal
  /// The balance after it.
  public let balance: ExactDecimal

  init(_ row: AccountSection.Row, _ currency: Currency) {
    kind =
      switch row.note {
      case .run: .run
      case .returned(let note): .returned(reference: note.reference.text, reason: note.reason)
      case .adjusted(let note): .adjusted(key: note.key, reason: note.reason)
      case .payment(let payment): .paid(reference: "P\(row.number)-\(payment)")
      }
    (number, day, self.currency) = (row.number, row.day.text, currency)
    (amount, balance) = (row.amount, row.balance)
  }
}
