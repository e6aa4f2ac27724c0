import Input

/// What a line of the batch is.
public enum RecordClass: Sendable {
  /// A payment, or a record that is rejected for its structure.
  case record
  /// The batch's header.
  case header
  /// The batch's trailer.
  case trailer
  /// A record with more parts than this judge takes (`RecordJudge.init`); nothing is known of it.
  case tooWide
}

/// Judges one record after the other: checks, amounts, fees, outcome (`rules.md`).
///
/// No I/O, no threads, no memory of earlier records. An ordinary record costs no allocation.
public struct RecordJudge: ~Copyable {
  /// What decides what records become.
  public let rules: SettlementRules
  /// The judgement of the last record.
  public internal(set) var judgement: Judgement

  /// A judge of records by one set of rules.
  ///
  /// - Parameters:
  ///   - listsNotices: whether notices are listed one by one, not only counted.
  ///   - widthLimit: the most receivers, items and so on of a record, as `RecordScanner` takes it.
  public init(rules: SettlementRules = SettlementRules(), listsNotices: Bool = false, widthLimit: Int = .max) {
    self.rules = rules
    judgement = Judgement(rules: rules, listsNotices: listsNotices, widthLimit: widthLimit)
  }

  /// Judges a line of at most 1,048,576 bytes; a header or trailer is only recognised.
  ///
  /// - Parameter line: the line, with what `RecordScanner.scan` asks for after it; it stays readable while the
  ///   judgement is used.
  public mutating func judge(_ line: UnsafePointer<UInt8>, count: Int) -> RecordClass {
    judgement.judge(line, count: count)
  }

  /// Judges a line that is over the limit, whatever it holds.
  public mutating func judgeTooLong() { judgement.judgeTooLong() }

  /// What is sent to a receiver, by its place below `Judgement.explainableReceivers`.
  public mutating func invoiceFigures(of place: Int) -> InvoiceFigures { judgement.invoiceFigures(of: place) }

  /// How a receiver's fee comes about, by its place; of a payment that has fees.
  public func feeFigures(of place: Int) -> FeeFigures { judgement.feeFigures(of: place) }

  /// How a receiver's tax is checked, by its place below `Judgement.explainableReceivers`; nil if it is not.
  public mutating func taxFigures(of place: Int) -> TaxFigures? { judgement.taxFigures(of: place) }

  /// Turns the judgement into that of a record whose claims are refused; nothing changes if there is no refusal.
  ///
  /// What a refused pay key or refund key makes known first is as if it had been known: no fees are assessed. Traps if
  /// another claim is refused of a record that has errors, as only records without errors have such claims.
  public mutating func refuse(_ refusals: [ClaimRefusal]) { judgement.refuse(refusals) }
}
