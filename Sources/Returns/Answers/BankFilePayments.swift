import ExactArithmetic
import Failures
import Ledger
import Money
import Payouts
import Records
import Documents

/// The payments of files for the bank and of their blocks, read from the payouts' directories when an answer is about
/// them.
final class BankFilePayments {
  struct Content {
    /// The payments' numbers in their payout, ascending.
    let numbers: [UInt32]
    let currency: Currency
    let sum: ExactDecimal
  }

  /// The days between a payout and a NACHA debit of one of its files.
  private static let daysOfDebit = -1...10

  private let payouts: [PayoutEntry]
  private let lookup: PayoutLookup
  private var contents: [BankFilePlace: Content?] = [:]
  private var nacha: [Int: [(place: BankFilePlace, sum: ExactDecimal)]] = [:]
  /// Why the ledger could not be read, the first time.
  private(set) var failure: Failure?

  /// - Parameter payouts: the payouts that count.
  init(_ payouts: [PayoutEntry], _ lookup: PayoutLookup) { (self.payouts, self.lookup) = (payouts, lookup) }

  /// The payments of a file or block; nil if it is not there, or is not the published one.
  func content(_ place: BankFilePlace) -> Content? {
    if let known = contents[place] { return known }
    let found = read(place)
    contents[place] = .some(found)
    return found
  }

  private func read(_ place: BankFilePlace) -> Content? {
    guard !place.name.isEmpty, let payout = payouts.first(where: { $0.number == place.payout }),
      let method = PayoutMethod.all.first(where: { PayoutReport.isBankFile(place.name, $0) }),
      let file = PublishedBankFile(place.name, method, of: payout)
    else { return nil }
    let blocks = file.blocks.filter { place.block == nil || $0.letter == place.block }
    return blocks.isEmpty ? nil : content(of: blocks.flatMap(\.numbers).sorted(), payout.number)
  }

  /// Nil if the ledger lacks a payment, or cannot be read.
  private func content(of numbers: [UInt32], _ payout: Int) -> Content? {
    do throws(Failure) {
      var (sum, currency): (ExactDecimal, Currency?) = (.zero, nil)
      for number in numbers {
        let reference = PaymentReference(payout: payout, number: Int(number))
        guard let payment = try lookup.payment(reference) else { return nil }
        (sum, currency) = (sum + payment.amount, payment.currency)
      }
      return currency.map { Content(numbers: numbers, currency: $0, sum: sum) }
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// The sum of some of a payout's payments.
  func sum(of numbers: [UInt32], _ payout: Int) -> ExactDecimal { content(of: numbers, payout)?.sum ?? .zero }

  /// The NACHA files that a debit of an amount on a day may be about.
  func nachaFiles(cents: Int, day: Int) -> [BankFilePlace] {
    let sum = ExactDecimal(cents, exponent: -2)
    return payouts.filter { payout in
      Self.daysOfDebit.contains(day - CalendarDay(payout.identity.date)!.number)
    }.sorted { $0.number < $1.number }.flatMap { nachaFiles(of: $0).filter { $0.sum == sum }.map(\.place) }
  }

  private func nachaFiles(of payout: PayoutEntry) -> [(place: BankFilePlace, sum: ExactDecimal)] {
    if let known = nacha[payout.number] { return known }
    let files = PublishedBankFile.names(.ach, of: payout).compactMap { name in
      let place = BankFilePlace(payout: payout.number, name: name)
      return content(place).map { (place, $0.sum) }
    }
    nacha[payout.number] = files
    return files
  }
}
