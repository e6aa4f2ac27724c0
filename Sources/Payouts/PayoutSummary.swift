import ExactArithmetic
import JSON
import Ledger
import Money
import Documents
import Version

/// The content of `payouts.json`: a payout on one line.
struct PayoutSummary: JSONDocument {
  static let isAnother = "does not describe a payout"

  typealias Stored = (bytes: Int, sha256: String)

  /// The version of the engine.
  var engine = SettleVersion.number
  private(set) var number = 0
  /// The ledger's name in its files.
  private(set) var ledger = ""
  /// The first run that counts.
  private(set) var firstRun = 0
  /// Without `--since`, which only the ledger knows.
  private(set) var identity = PayoutIdentity(
    date: "", executionDate: "", untilRun: 0, since: nil, minimums: "", payees: "", returned: nil, debtor: nil)
  private var payees = StoredDigest()
  /// The files of returned payments and of adjustments, in the order given, and the others if they are given.
  private var (returned, adjustments) = ([StoredDigest](), [StoredDigest]())
  private var (debtor, terms) = ([StoredDigest](), [StoredDigest]())
  /// Whether it has the form of earlier versions, without adjustments.
  private(set) var isEarlierForm = false
  var totals: [PayoutTotal] = []
  /// The payments to another bank account; nil in a payout of an earlier version.
  private(set) var changedAccounts: Int?
  var reasons: [CarriedReason: Int] = [:]
  var files: [PayoutFigures.File] = []

  init() {}

  /// The summary of a payout that is made from files.
  init(
    _ figures: PayoutFigures, identity: PayoutIdentity, firstRun: Int, ledger: String, payees: Stored,
    returned: [Stored], adjustments: [Stored]?, terms: Stored?, debtor: Stored?
  ) {
    (number, self.ledger, self.firstRun, self.identity) = (figures.number, ledger, firstRun, identity)
    (self.payees, self.returned) = (StoredDigest(payees), returned.map(StoredDigest.init))
    self.adjustments = (adjustments ?? []).map(StoredDigest.init)
    isEarlierForm = adjustments == nil
    self.debtor = debtor.map { [StoredDigest($0)] } ?? []
    self.terms = terms.map { [StoredDigest($0)] } ?? []
    identifyFiles()
    (totals, changedAccounts, files) = (figures.totals, figures.changedAccounts, figures.files)
    reasons = Dictionary(uniqueKeysWithValues: figures.reasons.map { ($0.reason, $0.count) })
  }

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

  init(reading node: JSONNode) throws(JSONFault) {
    self.init()
    for field in Self.fields { try field.read(&self, node[field.name]) }
    isEarlierForm = node["inputs"]["adjustments"].found == nil
    identifyFiles()
  }

  private mutating func identifyFiles() {
    func joined(_ files: [StoredDigest]) -> String? { PayoutIdentity.joined(files.map(\.sha256)) }
    (identity.payees, identity.debtor, identity.terms) = (payees.sha256, joined(debtor), joined(terms))
    (identity.returned, identity.adjustments) = (joined(returned), joined(adjustments))
  }

  static var fields: [JSONField<Self>] {
    [
      .init("engine", [.init("name", constant: "settle"), .init("version", \.engine)]), .init("payout", identifying),
      .init(
        "inputs",
        [
          .init("payees", \.payees), inputs("returned", \.returned),
          inputs("adjustments", \.adjustments) { !$0.isEarlierForm }, inputs("debtor", \.debtor),
          inputs("terms", \.terms) { !$0.terms.isEmpty },
        ]), minimum, .init(known: "totals", \.totals),
      JSONField("changedAccounts") {
        $0.changedAccounts?.json
      } read: {
        $0.changedAccounts = $1.tree.count
      },
      byReason, .init(known: "files", \.files),
    ]
  }

  private static var identifying: [JSONField<Self>] {
    [
      .init(count: "number", \.number), .init("ledger", \.ledger), .init(day: "date", \.identity.date),
      .init(day: "executionDate", \.identity.executionDate), .init(count: "since", \.firstRun),
      .init(count: "until", \.identity.untilRun),
      JSONField("noPayments") {
        $0.identity.hasNoPayments ? .boolean(true) : nil
      } read: {
        $0.identity.hasNoPayments = $1.tree.boolean ?? false
      },
    ]
  }

  /// Files: null for no file, an object for one, an array for several.
  private static func inputs(
    _ name: String, _ path: WritableKeyPath<Self, [StoredDigest]>,
    if isWritten: @escaping (Self) -> Bool = { _ in true }
  ) -> JSONField<Self> {
    JSONField(name) { said in
      guard isWritten(said) else { return nil }
      let files = said[keyPath: path]
      return files.count > 1 ? files.json : files.first.json
    } read: { said, node in
      let files = node.tree.elements ?? [node.tree]
      said[keyPath: path] = files.compactMap { try? StoredDigest(reading: JSONNode($0)) }
    }
  }

  private static var minimum: JSONField<Self> {
    JSONField("minimum") { said in
      .object(
        said.identity.minimums.split(separator: ",").map { (String($0.prefix(3)), .string(String($0.dropFirst(4)))) })
    } read: { (said, node) throws(JSONFault) in
      let fields = try node.value("an object", \.fields)
      said.identity.minimums = fields.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: ",")
    }
  }

  private static var byReason: JSONField<Self> {
    JSONField("reasons") { said in
      .object(said.reasons.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.json) })
    } read: { (said, node) throws(JSONFault) in
      for (name, count) in try node.value("an object", \.fields) {
        if let reason = CarriedReason(rawValue: name) { said.reasons[reason] = count.count }
      }
    }
  }
}

extension PayoutTotal: JSONValue {
  /// The figures in the order of `payouts.json`.
  private static var fields: [JSONField<Self>] {
    amountsBefore.map { .init($0.name, $0.path) } + [.init(optional: adjustment.name, adjustment.path)]
      + amountsAfter.map { .init($0.name, $0.path) } + held.map { .init(optional: $0.name, $0.path) }
      + counts.map { .init(count: $0.name, $0.path) }
  }

  package init(reading node: JSONNode) throws(JSONFault) {
    self.init(try Currency(reading: node["currency"]))
    for field in Self.fields { try field.read(&self, node[field.name]) }
  }

  package var json: JSONTree {
    .object(
      [("currency", currency.json)] + Self.fields.compactMap { field in field.write(self).map { (field.name, $0) } })
  }
}

extension PayoutFigures.File: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    self.init(
      name: try node["name"].string(), currency: try Currency(reading: node["currency"]),
      method: try node["method"].value("a method") { $0.string.flatMap(PayoutMethod.init(name:)) },
      instructions: try node["instructions"].value("zero or more", \.count),
      amount: try ExactDecimal(reading: node["amount"]))
  }

  package var json: JSONTree {
    [
      "name": name.json, "currency": currency.json, "method": .string(method.name), "instructions": instructions.json,
      "amount": amount.json,
    ]
  }
}
