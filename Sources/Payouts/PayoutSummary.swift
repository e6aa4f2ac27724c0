import BatchRun
import ExactArithmetic
import JSON
import Ledger
import Money
import Reports

/// `payouts.json`: a payout on one line.
struct PayoutSummary: CustomStringConvertible {
  private let tree: JSONTree

  /// The bytes of a file and their SHA-256.
  typealias Stored = (bytes: Int, sha256: String)

  init(
    _ figures: PayoutFigures, identity: PayoutIdentity, firstRun: Int, ledgerID: String,
    minimums: [Currency: ExactDecimal], payees: Stored, returned: Stored?, debtor: Stored?
  ) {
    func input(_ stored: Stored?) -> JSONTree {
      stored.map { ["bytes": .number($0.bytes), "sha256": .string($0.sha256)] } ?? .null
    }
    let reasons = figures.reasons.sorted { $0.reason.rawValue < $1.reason.rawValue }
    tree = [
      "engine": ["name": .string("settle"), "version": .string(BatchRun.version)],
      "payout": [
        "number": .number(figures.number), "ledger": .string(ledgerID), "date": .string(identity.date),
        "executionDate": .string(identity.executionDate), "since": .number(firstRun),
        "until": .number(identity.untilRun),
      ],
      "inputs": ["payees": input(payees), "returned": input(returned), "debtor": input(debtor)],
      "minimum": .object(minimums.sorted { $0.key < $1.key }.map { ($0.key.code, .string("\($0.value)")) }),
      "totals": .array(figures.totals.map { Self.tree($0.entry) }),
      "reasons": .object(reasons.map { ($0.reason.rawValue, .number($0.count)) }),
      "files": .array(
        figures.files.map { file in
          [
            "name": .string(file.name), "currency": .string(file.currency.code),
            "method": .string(file.method.rawValue), "instructions": .number(file.instructions),
            "amount": .string("\(file.amount)"),
          ]
        }),
    ]
  }

  private static func tree(_ total: PayoutEntry.Total) -> JSONTree {
    [
      "currency": .string(total.currency), "opening": .string(total.opening), "settled": .string(total.settled),
      "returned": .string(total.returned), "paid": .string(total.paid), "closing": .string(total.closing),
      "carried": .string(total.carried), "owing": .string(total.owing), "instructions": .number(total.instructions),
      "accountsCarried": .number(total.accountsCarried), "accountsOwing": .number(total.accountsOwing),
    ]
  }

  var description: String { tree.description }
}
