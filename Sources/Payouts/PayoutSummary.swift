import ExactArithmetic
import JSON
import Ledger
import Money
import Postings
import Records
import Documents
import Version

/// The content of `payouts.json`: a payout on one line.
struct PayoutSummary: JSONDocument {
  static let isAnother = "does not describe a payout"

  /// The length of a file and its SHA-256.
  typealias Stored = (bytes: Int, sha256: String)

  /// The version of the engine.
  var engine = SettleVersion.number
  var number: Int
  /// The ledger's name in its files.
  var ledger: String
  /// The first run that counts.
  var firstRun: Int
  /// Without `--since`, which only the ledger knows.
  var identity: PayoutIdentity
  /// The length of the payees file; likewise for the others, if they are given.
  var payeesBytes: Int
  /// The lengths of the files of returned payments, in the order given.
  var returnedBytes: [Int]
  /// The lengths of the files of adjustments, in the order given; nil in a payout of an earlier version.
  var adjustmentsBytes: [Int]?
  var debtorBytes: Int?
  var termsBytes: Int?
  var totals: [PayoutTotal]
  /// The payments to another bank account; nil in a payout of an earlier version.
  var changedAccounts: Int?
  var reasons: [CarriedReason: Int]
  var files: [PayoutFigures.File]

  /// The summary of a payout that is made from files.
  init(
    _ figures: PayoutFigures, identity: PayoutIdentity, firstRun: Int, ledger: String, payees: Stored,
    returned: [Stored], adjustments: [Stored]?, terms: Stored?, debtor: Stored?
  ) {
    (number, self.ledger, self.firstRun, self.identity) = (figures.number, ledger, firstRun, identity)
    (self.identity.payees, payeesBytes) = (payees.sha256, payees.bytes)
    (self.identity.returned, returnedBytes) = (PayoutIdentity.joined(returned.map(\.sha256)), returned.map(\.bytes))
    self.identity.adjustments = PayoutIdentity.joined(adjustments?.map(\.sha256) ?? [])
    adjustmentsBytes = adjustments?.map(\.bytes)
    (self.identity.debtor, debtorBytes) = (debtor?.sha256, debtor?.bytes)
    (self.identity.terms, termsBytes) = (terms?.sha256, terms?.bytes)
    (totals, changedAccounts, files) = (figures.totals, figures.changedAccounts, figures.files)
    reasons = Dictionary(uniqueKeysWithValues: figures.reasons.map { ($0.reason, $0.count) })
  }

  /// Whether it has the form of earlier versions, without adjustments.
  var isEarlierForm: Bool { adjustmentsBytes == nil }

  var hasTerms: Bool { identity.terms != nil }

  var minimums: [Currency: ExactDecimal] {
    var minimums: [Currency: ExactDecimal] = [:]
    for part in identity.minimums.split(separator: ",") {
      if let currency = Currency(code: String(part.prefix(3))) {
        minimums[currency] = ExactDecimal(String(part.dropFirst(4)))
      }
    }
    return minimums
  }

  var tree: JSONTree {
    func input(_ sha256: String?, _ bytes: Int?) -> JSONTree {
      sha256.map { ["bytes": .number(bytes!), "sha256": .string($0)] } ?? .null
    }
    func inputs(_ digests: String?, _ bytes: [Int]) -> JSONTree {
      let files = zip(digests?.split(separator: ",") ?? [], bytes).map { input(String($0), $1) }
      return files.count > 1 ? .array(files) : files.first ?? .null
    }
    let adjustments = adjustmentsBytes.map { [("adjustments", inputs(identity.adjustments, $0))] } ?? []
    let terms = identity.terms.map { [("terms", input($0, termsBytes))] } ?? []
    let noPayments = identity.hasNoPayments ? [("noPayments", JSONTree.boolean(true))] : []
    let minimum = identity.minimums.split(separator: ",").map { part in
      (String(part.prefix(3)), JSONTree.string(String(part.dropFirst(4))))
    }
    let reasons = reasons.sorted { $0.key.rawValue < $1.key.rawValue }
    let head: [(String, JSONTree)] = [
      ("engine", ["name": .string("settle"), "version": .string(engine)]),
      (
        "payout",
        .object(
          [
            ("number", .number(number)), ("ledger", .string(ledger)), ("date", .string(identity.date)),
            ("executionDate", .string(identity.executionDate)), ("since", .number(firstRun)),
            ("until", .number(identity.untilRun)),
          ] + noPayments)
      ),
      (
        "inputs",
        .object(
          [("payees", input(identity.payees, payeesBytes)), ("returned", inputs(identity.returned, returnedBytes))]
            + adjustments + [("debtor", input(identity.debtor, debtorBytes))] + terms)
      ),
      ("minimum", .object(minimum)), ("totals", .array(totals.map(\.tree))),
    ]
    let tail: [(String, JSONTree)] = [
      ("reasons", .object(reasons.map { ($0.key.rawValue, .number($0.value)) })),
      ("files", .array(files.map(\.tree))),
    ]
    return .object(head + (changedAccounts.map { [("changedAccounts", .number($0))] } ?? []) + tail)
  }

  /// Nil if the tree is not a summary of a payout.
  init?(_ tree: JSONTree) {
    guard let payout = tree["payout"], let number = payout["number"]?.count, let ledger = payout["ledger"]?.string,
      let date = payout["date"]?.string, UTCTime(day: date) != nil,
      let executionDate = payout["executionDate"]?.string, UTCTime(day: executionDate) != nil,
      let since = payout["since"]?.count, let until = payout["until"]?.count,
      let engine = tree["engine"]?["version"]?.string, let payees = tree["inputs"]?["payees"]?["sha256"]?.string,
      let payeesBytes = tree["inputs"]?["payees"]?["bytes"]?.count, let minimum = tree["minimum"]?.fields,
      let totals = tree["totals"]?.elements, let reasons = tree["reasons"]?.fields, let files = tree["files"]?.elements
    else { return nil }
    (self.number, self.ledger, firstRun, self.engine, self.payeesBytes) = (number, ledger, since, engine, payeesBytes)
    func inputs(_ name: String) -> [Stored] {
      guard let stored = tree["inputs"]?[name] else { return [] }
      return (stored.elements ?? [stored]).compactMap { file in
        file["bytes"]?.count.flatMap { bytes in file["sha256"]?.string.map { (bytes, $0) } }
      }
    }
    let (returned, debtor, terms) = (inputs("returned"), inputs("debtor").first, inputs("terms").first)
    (returnedBytes, debtorBytes, termsBytes) = (returned.map(\.bytes), debtor?.bytes, terms?.bytes)
    let adjustments = tree["inputs"]?["adjustments"] == nil ? nil : inputs("adjustments")
    adjustmentsBytes = adjustments?.map(\.bytes)
    identity = PayoutIdentity(
      date: date, executionDate: executionDate, untilRun: until, since: nil,
      minimums: minimum.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: ","), payees: payees,
      returned: PayoutIdentity.joined(returned.map(\.sha256)),
      adjustments: PayoutIdentity.joined(adjustments?.map(\.sha256) ?? []), debtor: debtor?.sha256,
      terms: terms?.sha256, hasNoPayments: payout["noPayments"]?.boolean ?? false)
    self.totals = totals.compactMap(PayoutTotal.init)
    changedAccounts = tree["changedAccounts"]?.count
    self.reasons = [:]
    for (name, count) in reasons {
      if let reason = CarriedReason(rawValue: name) { self.reasons[reason] = count.count }
    }
    self.files = files.compactMap(PayoutFigures.File.init)
  }
}

extension PayoutTotal {
  /// The figures as an object of `payouts.json`.
  public var tree: JSONTree {
    func fields(_ amounts: [Figure<PayoutTotal, ExactDecimal>]) -> [(String, JSONTree)] {
      amounts.map { ($0.name, .string(self[keyPath: $0.path].description)) }
    }
    func fields(_ amounts: [Figure<PayoutTotal, ExactDecimal?>]) -> [(String, JSONTree)] {
      amounts.compactMap { figure in
        self[keyPath: figure.path].map { (figure.name, .string($0.description)) }
      }
    }
    return .object(
      [("currency", .string(currency.code))] + fields(Self.amountsBefore) + fields([Self.adjustment])
        + fields(Self.amountsAfter) + fields(Self.held) + Self.counts.map { ($0.name, .number(self[keyPath: $0.path])) }
    )
  }

  fileprivate init?(_ tree: JSONTree) {
    guard let currency = tree["currency"]?.string.flatMap(Currency.init(code:)) else { return nil }
    self.init(currency)
    for figure in Self.amounts {
      guard let amount = tree[figure.name]?.string.flatMap({ ExactDecimal($0) }) else { return nil }
      self[keyPath: figure.path] = amount
    }
    for figure in Self.counts {
      guard let count = tree[figure.name]?.count else { return nil }
      self[keyPath: figure.path] = count
    }
    for figure in [Self.adjustment] + Self.held {
      guard let text = tree[figure.name]?.string else { continue }
      guard let amount = ExactDecimal(text) else { return nil }
      self[keyPath: figure.path] = amount
    }
  }
}

extension PayoutFigures.File {
  fileprivate var tree: JSONTree {
    [
      "name": .string(name), "currency": .string(currency.code), "method": .string(method.name),
      "instructions": .number(instructions), "amount": .string("\(amount)"),
    ]
  }

  fileprivate init?(_ tree: JSONTree) {
    guard let name = tree["name"]?.string, let currency = tree["currency"]?.string.flatMap(Currency.init(code:)),
      let method = tree["method"]?.string.flatMap(PayoutMethod.init(name:)),
      let instructions = tree["instructions"]?.count, let amount = tree["amount"]?.string.flatMap(ExactDecimal.init)
    else { return nil }
    self.init(name: name, currency: currency, method: method, instructions: instructions, amount: amount)
  }
}
