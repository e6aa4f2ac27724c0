import ArgumentParser
import Console
import Failures
import Money

/// `settle currencies`: the table of currencies.
struct Currencies: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "currencies",
    abstract: "List the currencies and their decimals.",
    discussion: """
      ISO decimals are those of ISO 4217; settled decimals are those that amounts may have here.

      EXAMPLES:
        settle currencies
      """)

  func execute() throws(Failure) -> Int32 {
    let rows = Currency.all.map { currency in
      [
        currency.code, String("\(1000 + currency.numericCode)".dropFirst()), "\(currency.minorUnitExponent)",
        "\(currency.settlementExponent)", currency.onlyCountry?.code ?? "any", currency.name,
      ]
    }
    let heading = ["code", "number", "ISO decimals", "settled decimals", "parties in", "name"]
    try Terminal.emit(Table.lines(heading, rows))
    return 0
  }
}
