import Documents
import Failures
import FileSystem
import JSON
import Ledger
import Money
import Records
import Text

/// The ways of a ledger's money, with the reasons for which its last payout carried balances.
struct MoneyWays {
  private let ledger: LedgerReading
  private let trace: MoneyTrace
  /// Whether no directory is read.
  private let ledgerOnly: Bool

  init(_ ledger: LedgerReading, ledgerOnly: Bool) throws(Failure) {
    (self.ledger, self.ledgerOnly) = (ledger, ledgerOnly)
    trace = try ledger.moneyTrace()
  }

  /// The way of what each of some accounts got in a run.
  func ways(of accounts: [[UInt8]], _ currency: Currency, from run: Int) throws(Failure) -> [ShownWay] {
    let entry = ledger.history.runs.first { $0.number == run }!
    var ways: [ShownWay] = []
    for account in accounts { ways.append(try shown(trace.way(of: account, currency, from: entry))) }
    return ways
  }

  /// The way of a payment that came back; nil if it did not.
  func way(ofReturned paid: PaidOut) throws(Failure) -> [ShownWay]? {
    guard paid.returned != nil else { return nil }
    let (account, currency) = (paid.payment.account, paid.payment.currency)
    return try trace.way(of: account, currency, returned: paid.reference).map { way throws(Failure) in [try shown(way)]
    }
  }

  private func shown(_ way: MoneyWay) throws(Failure) -> ShownWay {
    ShownWay(way: way, waits: way.wait == .carried ? try reason(way) ?? way.wait!.rawValue : way.wait?.rawValue)
  }

  /// The reason in the `carried.csv` of the last payout; nil if it is not read, gone, or has no row of the balance.
  private func reason(_ way: MoneyWay) throws(Failure) -> String? {
    guard !ledgerOnly, let payout = ledger.history.payouts.last,
      let folder = try? ReportFolder(path: FileName.string(payout.directory), of: PayoutReport.self),
      let lines = try folder.open(PayoutReport.carried.fileName, FindingLog(), isHashed: false)
    else { return nil }
    let start = way.account + Array(",\(way.currency.code),".utf8)
    var row = ReportRow()
    while try lines.next() {
      guard lines.current.starts(with: start.span) else { continue }
      row.split(lines.current)
      let column = CarriedReport.Column.reason
      return row.count > column.place ? row.text(column) : nil
    }
    return nil
  }
}

/// The way of an account's money, with why it waits.
struct ShownWay {
  let way: MoneyWay
  let waits: String?

  static let columns = Listing<ShownWay>([
    ListColumn("account", title: nil) { $0.way.account },
    ListColumn("references", title: nil) { JSONTree.array($0.way.references.map { .string($0.text) }) },
    ListColumn("waits", title: nil) { $0.waits },
    ListColumn("carried", title: nil) { $0.way.carried },
  ])

  /// The lines of some ways below their heading, for people.
  static func lines(_ ways: [ShownWay]) -> [String] {
    let accounts = ways.map { MessageText.identifier($0.way.account, limit: Account.maximumLength) }
    let width = accounts.map(\.count).max() ?? 0
    return ["paid out"]
      + zip(accounts, ways).map { account, way in
        "  \(account)\(String(repeating: " ", count: width - account.count))  \(way.text)"
      }
  }

  private var text: String {
    let last = way.references.count - 1
    let paid = way.references.enumerated().map { place, reference in
      place < last || waits != nil ? "\(reference) (came back)" : reference.text
    }
    let carried = way.carried.flatMap { $0.isZero ? nil : "\($0.grouped) carried" }
    return (paid + [waits.map { "waits: \($0)" }, carried].compactMap(\.self)).joined(separator: ", ")
  }
}
