import Console
import Failures
import FileSystem
import Payouts

/// What `settle payout` prints at the end: each currency's money, and why balances are carried.
enum PayoutClosing {
  /// Prints it; the reasons go to standard error.
  static func tell(_ figures: PayoutFigures, output: String) throws(Failure) {
    tellReasons(figures, see: " See carried.csv.")
    try Terminal.print(text(figures, output: output))
  }

  /// Why balances are carried, on standard error.
  static func tellReasons(_ figures: PayoutFigures, see: String = "") {
    figures.warnings.forEach(Log.warning)
    if figures.reasons.isEmpty { return }
    let counts = figures.reasons.map { "\($0.reason.rawValue) \($0.count)" }
    Log.notice("carried: \(counts.joined(separator: ", ")).\(see)")
  }

  static func text(_ figures: PayoutFigures, output: String) -> String {
    let instructions = figures.totals.reduce(0) { $0 + $1.instructions }
    let carried = figures.totals.reduce(0) { $0 + $1.accountsCarried + $1.accountsOwing }
    var lines = [
      "\(Terminal.count(instructions, "payment")), \(Terminal.count(carried, "balance")) carried, "
        + "\(Terminal.count(figures.files.count, "file")) for the bank."
    ]
    let rows = figures.totals.map { total in
      [total.currency.code]
        + [
          total.opening, total.settled, total.returned, total.adjusted ?? .zero, total.paid, total.carried, total.owing,
        ].map(ClosingTable.grouped)
    }
    if !rows.isEmpty {
      let heading = ["currency", "opening", "settled", "returned", "adjusted", "paid", "carried", "owing"]
      lines += [""] + ClosingTable.table(heading, rows)
      lines += ["", "Every currency balances: opening + settled + returned + adjusted = paid + carried - owing."]
    }
    lines.append("Files: \(OutputPlace.shown(output))")
    lines.append("Entered in the ledger as payout \(figures.number).")
    return lines.joined(separator: "\n")
  }
}
