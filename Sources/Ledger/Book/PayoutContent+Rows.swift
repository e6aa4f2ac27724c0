import Failures
import ExactArithmetic
import Money
import SQLite

extension PayoutContent: StoredContent {
  var columns: [(name: String, value: any DatabaseValue)] {
    [
      ("date", identity.date), ("executionDate", identity.executionDate), ("untilRun", identity.untilRun),
      ("since", identity.since), ("minimums", identity.minimums), ("payees", identity.payees),
      ("returned", identity.returned), ("debtor", identity.debtor), ("firstRun", firstRun), ("ledger", ledger),
      ("exitCode", exitCode), ("achFiles", achFiles), ("adjustments", identity.adjustments), ("place", place),
      ("bookedRun", movedTo), ("enteredAfter", enteredAfter), ("changedAccounts", changedAccounts),
      ("keepsDay", keepsDay), ("terms", identity.terms), ("noPayments", identity.hasNoPayments ? true : nil),
    ] + Self.kind.lists.map { (name: $0.column, value: counts[$0.list]) }
  }

  func insertParts(_ database: Database, _ number: Int) throws {
    for total in totals { try total.insert(database, payout: number) }
  }

  init(_ row: Row, _ number: Int, parts: [[Row]]) throws {
    self.init(
      identity: PayoutIdentity(
        date: try row.value("date"), executionDate: try row.value("executionDate"), untilRun: try row.value("untilRun"),
        since: try row.value("since"), minimums: try row.value("minimums"), payees: try row.value("payees"),
        returned: try row.value("returned"), adjustments: try row.value("adjustments"),
        debtor: try row.value("debtor"), terms: try row.value("terms"),
        hasNoPayments: try row.value("noPayments") ?? false),
      firstRun: try row.value("firstRun"), ledger: try row.value("ledger"), exitCode: try row.value("exitCode"),
      achFiles: try row.value("achFiles"), totals: try parts[0].map { try PayoutTotal($0, payout: number) },
      counts: try Self.kind.lists.reduce(into: [:]) { $0[$1.list] = try row.value($1.column) },
      changedAccounts: try row.value("changedAccounts"), keepsDay: try row.value("keepsDay"),
      place: try row.value("place") ?? number, movedTo: try row.value("bookedRun"),
      enteredAfter: try row.value("enteredAfter"))
  }
}

extension PayoutTotal {
  fileprivate func insert(_ database: Database, payout: Int) throws {
    var columns: [(name: String, value: any DatabaseValue)] = [("payout", payout), ("currency", currency.code)]
    columns += Self.amounts.map { ($0.name, self[keyPath: $0.path].description) }
    columns += Self.counts.map { ($0.name, self[keyPath: $0.path]) }
    columns += ([Self.adjustment] + Self.held).map { ($0.name, self[keyPath: $0.path]?.description) }
    try database.insert(into: "payoutTotal", columns)
  }

  fileprivate init(_ row: Row, payout: Int) throws {
    let damaged = Failure.damagedLedger("a figure of payout \(payout) is not one of a currency")
    guard let currency = Currency(code: try row.value("currency")) else { throw damaged }
    func amount(_ name: String) throws -> ExactDecimal? {
      guard let text: String = try row.value(name) else { return nil }
      guard let amount = ExactDecimal(text) else { throw damaged }
      return amount
    }
    self.init(currency)
    for figure in Self.amounts {
      guard let amount = try amount(figure.name) else { throw damaged }
      self[keyPath: figure.path] = amount
    }
    for figure in [Self.adjustment] + Self.held { self[keyPath: figure.path] = try amount(figure.name) }
    for figure in Self.counts { self[keyPath: figure.path] = try row.value(figure.name) }
  }
}
