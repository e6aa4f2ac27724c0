import Console
import Failures
import FileSystem
import Ledger
import Payouts

/// What `settle payout` prints at the end: each currency's money, and why balances are carried.
enum PayoutClosing {
  /// Prints it; the reasons go to standard error.
  static func print(_ figures: PayoutFigures, output: String) throws(Failure) {
    logReasons(figures, see: " See carried.csv.")
    try Terminal.print(text(figures, output: output))
  }

  /// Why balances are carried, on standard error.
  static func logReasons(_ figures: PayoutFigures, see: String = "") {
    figures.warnings.forEach(Log.warning)
    if figures.reasons.isEmpty { return }
    let counts = figures.reasons.map { "\($0.reason.rawValue) \($0.count)" }
    Log.notice("carried: \(counts.joined(separator: ", ")).\(see)")
  }

  private static let columns: [ListColumn<PayoutTotal>] = [
    ListColumn(title: "currency") { $0.currency },
    ListColumn(title: "opening") { $0.opening },
    ListColumn(title: "settled") { $0.settled },
    ListColumn(title: "returned") { $0.returned },
    ListColumn(title: "adjusted") { $0.adjusted ?? .zero },
    ListColumn(title: "paid") { $0.paid },
    ListColumn(title: "carried") { $0.carried },
    ListColumn(title: "owing") { $0.owing },
  ]
  /// The further columns if a payout had terms.
  static func held(_ totals: [PayoutTotal]) -> [ListColumn<PayoutTotal>] {
    totals.contains { $0.kept != nil } ? held : []
  }

  private static let held: [ListColumn<PayoutTotal>] = [
    ListColumn(title: "delayed") { $0.delayed },
    ListColumn(title: "reserved") { $0.reserved },
    ListColumn(title: "kept") { $0.kept },
  ]

  static func text(_ figures: PayoutFigures, output: String) -> String {
    let instructions = figures.totals.reduce(0) { $0 + $1.instructions }
    let carried = figures.totals.reduce(0) { $0 + $1.accountsCarried + $1.accountsOwing }
    var lines = [
      "\(Terminal.count(instructions, "payment")), \(Terminal.count(carried, "balance")) carried, "
        + "\(Terminal.count(figures.files.count, "file")) for the bank."
    ]
    if !figures.totals.isEmpty {
      lines += [""] + Listing(columns + held(figures.totals)).table(figures.totals)
      lines += ["", "Every currency balances: opening + settled + returned + adjusted = paid + carried - owing."]
    }
    lines.append("Files: \(OutputPlace.shown(output))")
    lines.append("Entered in the ledger as payout \(figures.number).")
    return lines.joined(separator: "\n")
  }
}
