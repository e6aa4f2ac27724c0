import Console
import Failures
import FileSystem
import JSON
import Ledger
import Payouts
import Records
import Text

/// Payouts: those that were made, those that were given up, and the missing ones.
extension History {
  func showPayouts() throws(Failure) -> Int32 {
    let history = try LedgerHistory.warned(ledger)
    let missing = try MissingPayouts(history, ledger: ledger)
    for warning in missing.warnings { Log.warning(warning) }
    let days = BookingOrder(history).booked
    func listed<Payout>(
      _ number: Int, _ id: EntryID, _ payout: Payout, _ text: (Payout, String) -> String,
      _ json: (Payout, String) -> JSONTree
    ) -> Listed {
      let day = days[id]!
      return Listed(number, day, text(payout, day.text), json(payout, day.text))
    }
    let made = history.payouts.map { listed($0.number, $0.id, $0, Self.text, Self.json) }
    let givenUp = history.givenUp.map { listed($0.number, EntryID(.givenUp, $0.number), $0, Self.text, Self.json) }
    let lacking = missing.missing.map { Listed($0.number, nil, Self.text($0), Self.json($0)) }
    let payouts = (made + givenUp + lacking).sorted { $0.number < $1.number }.filter { booked.contain($0.booked) }
      .suffix(last ?? .max)
    switch format {
    case .table where payouts.isEmpty: try Terminal.emit(["The ledger has no such payouts."])
    case .table: try Terminal.emit([payouts.map(\.text).joined(separator: "\n\n")])
    case .jsonl: try Terminal.emit(payouts.map(\.json.description))
    }
    return 0
  }

  /// A payout that was made, given up, or is missing.
  private struct Listed {
    let number: Int
    /// The booking day; nil if it is missing.
    let booked: CalendarDay?
    let (text, json): (String, JSONTree)

    init(_ number: Int, _ booked: CalendarDay?, _ text: String, _ json: JSONTree) {
      (self.number, self.booked, self.text, self.json) = (number, booked, text, json)
    }
  }

  private static func text(_ payout: GivenUpPayout, _ booked: String) -> String {
    "payout \(payout.number)  given up after run \(payout.run)  booked on \(booked)  entered \(payout.time)\n  "
      + (payout.adjustments == 0 ? "never sent" : "sent: \(Terminal.count(payout.adjustments, "adjustment"))")
  }

  private static func json(_ payout: GivenUpPayout, _ booked: String) -> JSONTree {
    [
      "payout": .number(payout.number), "time": .string(payout.time), "booked": .string(booked),
      "until": .number(payout.run),
      "givenUp": .boolean(true), "adjustments": .number(payout.adjustments),
    ]
  }

  private static func text(_ payout: MissingPayouts.Payout) -> String {
    "payout \(payout.number)  missing\n  "
      + (payout.directories.first.map { "files: \($0)" } ?? "no directory found")
  }

  private static func json(_ payout: MissingPayouts.Payout) -> JSONTree {
    [
      "payout": .number(payout.number), "missing": .boolean(true),
      "directory": payout.directories.first.map(JSONTree.string) ?? .null,
    ]
  }

  private static let columns: [ListColumn<PayoutTotal>] = [
    ListColumn(title: "currency") { $0.currency },
    ListColumn(title: "payments") { $0.instructions },
    ListColumn(title: "paid") { $0.paid },
    ListColumn(title: "returned") { $0.returned },
    ListColumn(title: "adjusted") { $0.adjusted ?? .zero },
    ListColumn(title: "carried") { $0.carried },
    ListColumn(title: "owing") { $0.owing },
  ]

  private static func text(_ payout: PayoutEntry, _ booked: String) -> String {
    let identity = payout.identity
    let lines =
      [
        "payout \(payout.number)  \(identity.date)  up to run \(payout.untilRun)  entered \(payout.time)",
        "booked on \(booked)",
        "\(Terminal.count(payout.payments, "payment")) for \(identity.executionDate), "
          + "\(Terminal.count(payout.returns, "return")), \(Terminal.count(payout.adjusted, "adjustment")), "
          + "\(Terminal.count(payout.carried, "balance")) carried, "
          + "exit code \(payout.exitCode)",
      ]
      + (payout.totals.isEmpty
        ? [] : Listing(columns + PayoutClosing.held(payout.totals)).table(payout.totals))
      + ["files: \(directory(payout))\(isGone(payout) ? " (gone)" : "")"]
    return lines.joined(separator: "\n  ")
  }

  static func directory(_ payout: PayoutEntry) -> String { MessageText.escapedName(payout.directory) }

  static func isGone(_ payout: PayoutEntry) -> Bool { OutputPlace.isGone(FileName.string(payout.directory)) }

  private static func json(_ payout: PayoutEntry, _ booked: String) -> JSONTree {
    let identity = payout.identity
    func text(_ text: String?) -> JSONTree { text.map(JSONTree.string) ?? .null }
    let noPayments = identity.hasNoPayments ? [("noPayments", JSONTree.boolean(true))] : []
    let head: [(String, JSONTree)] = [
      ("payout", .number(payout.number)), ("time", .string(payout.time)), ("engine", .string(payout.engine)),
      ("date", .string(identity.date)), ("booked", .string(booked)),
      ("executionDate", .string(identity.executionDate)), ("since", .number(payout.firstRun)),
      ("until", .number(payout.untilRun)),
    ]
    let tail: [(String, JSONTree)] = [
      (
        "inputs",
        .object(
          [
            ("payees", .string(identity.payees)), ("returned", text(identity.returned)),
            ("adjustments", text(identity.adjustments)), ("debtor", text(identity.debtor)),
          ] + (identity.terms.map { [("terms", .string($0))] } ?? []))
      ),
      ("payments", .number(payout.payments)), ("returns", .number(payout.returns)),
      ("adjustments", .number(payout.adjusted)), ("carried", .number(payout.carried)),
      ("exitCode", .number(Int(payout.exitCode))), ("adopted", .boolean(payout.isAdopted)),
      ("totals", payout.totals.json), ("directory", .string(directory(payout))),
      ("directoryGone", .boolean(isGone(payout))),
    ]
    return .object(head + noPayments + tail)
  }
}
