import JSON
import Rules

extension SummaryReport {
  /// The rules with which a batch was settled.
  public struct SettledBy: Equatable, Sendable {
    /// The SHA-256 of the fee schedule in hexadecimal digits; nil for the built-in one.
    public var fees: String?
    /// The SHA-256 of the split profiles; nil if none were given.
    public var splits: String?
    /// The SHA-256 of the tax rates; nil if none were given.
    public var taxes: String?
    /// The maximum number of days between a payment's run and that of its refund.
    public var refundWindow: Int
    /// Whether an item's total price below price times count was an error.
    public var strictItems: Bool
    /// How unknown fields were treated.
    public var unknownFields: UnknownFields

    /// The rules of a run.
    ///
    /// - Parameter digest: returns the SHA-256 of a file's text.
    public init(_ rules: SettlementRules, digest: ([UInt8]) -> String) {
      fees = rules.schedule.isBuiltIn ? nil : digest(rules.schedule.text)
      splits = rules.profiles.text.isEmpty ? nil : digest(rules.profiles.text)
      taxes = rules.taxes.map { digest($0.text) }
      refundWindow = rules.refundWindow
      strictItems = rules.strictItems
      unknownFields = rules.unknownFields
    }

    /// Reads the rules from `summary.json`; nil if no run writes such a value.
    init?(_ tree: JSONTree) {
      func digest(_ key: String) -> String?? {
        guard let value = tree[key] else { return nil }
        if case .null = value { return .some(nil) }
        return value.string.flatMap(SummaryReport.digest).map { .some($0) }
      }
      guard let fees = digest("fees"), let splits = digest("splits"), let taxes = digest("taxes"),
        let window = tree["refundWindow"]?.count, case .boolean(let strictItems) = tree["strictItems"],
        let unknownFields = tree["unknownFields"]?.string.flatMap(UnknownFields.init)
      else { return nil }
      (self.fees, self.splits, self.taxes) = (fees, splits, taxes)
      refundWindow = window
      self.strictItems = strictItems
      self.unknownFields = unknownFields
    }

    /// Its keys and values, in their order.
    public var tree: JSONTree {
      func digest(_ text: String?) -> JSONTree { text.map { .string($0) } ?? .null }
      return [
        "fees": digest(fees), "splits": digest(splits), "taxes": digest(taxes), "refundWindow": .number(refundWindow),
        "strictItems": .boolean(strictItems), "unknownFields": .string(unknownFields.rawValue),
      ]
    }
  }
}
