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
  public var rules: SettlementRules { judgement.rules }
  /// The judgement of the last record.
  public internal(set) var judgement: Judgement

  /// A judge of records by one set of rules.
  ///
  /// - Parameters:
  ///   - listsNotices: whether notices are listed one by one, not only counted.
  ///   - widthLimit: the most receivers, items and so on of a record, as `RecordScanner` takes it.
  public init(rules: SettlementRules = SettlementRules(), listsNotices: Bool = false, widthLimit: Int = .max) {
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

  /// An item of a receiver's invoice, by the receiver's place and a place of `InvoiceFigures.items`.
  public mutating func itemFigures(_ item: Int, of place: Int) -> ItemFigures {
    judgement.itemFigures(item, of: place)
  }

  /// How a receiver's tax is checked, by its place below `Judgement.explainableReceivers`; nil if it is not.
  public mutating func taxFigures(of place: Int) -> TaxFigures? { judgement.taxFigures(of: place) }

  /// Turns the judgement into that of a record whose claims are refused; nothing changes if there is no refusal.
  ///
  /// A record whose pay key or refund key is refused has no fees: they are taken back. Traps if another claim of a record
  /// with errors is refused, as only records without errors make such claims.
  public mutating func refuse(_ refusals: [ClaimRefusal]) { judgement.refuse(refusals) }
}
