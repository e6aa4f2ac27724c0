import ArgumentParser
import Failures
import Ledger

/// A payout by its number, or one of its payments by its reference.
struct AskedPayout {
  let number: Int
  let payment: PaymentReference?

  /// Throws if a text is neither.
  static func parsed(_ text: String) throws -> AskedPayout {
    let reference = PaymentReference(text.utf8Span.span)
    guard let asked = reference ?? PaymentReference("P\(text)-1".utf8Span.span) else {
      throw ValidationError(
        "'\(text)' is neither the number of a payout, such as 12, nor the reference of one of its payments, such as P12-345."
      )
    }
    return AskedPayout(number: asked.payout, payment: reference)
  }

  /// The payout; throws if the ledger does not know it, or its payment.
  func entry(in ledger: LedgerReading) throws(Failure) -> PayoutEntry {
    let list = "settle history --ledger \(ledger.quoted) --payouts lists them"
    guard let payout = ledger.history.payouts.first(where: { $0.number == number }) else {
      let isGivenUp = ledger.history.givenUp.contains { $0.number == number }
      throw .usage(
        "\(ledger.shown): has no payout \(number)\(isGivenUp ? ", which was given up: what it paid are adjustments" : ""). "
          + list)
    }
    if let payment, payment.number > payout.payments {
      throw .usage(
        "\(ledger.shown): payout \(number) has no payment \(payment): it has \(payout.payments). \(list)")
    }
    return payout
  }
}
