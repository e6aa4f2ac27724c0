/// The kind of a payment, which its receivers determine (`rules.md`, "Kind"). The ledger keeps its number.
public enum PaymentKind: FixedText, FixedValue {
  case simple = "SIMPLE"
  /// Two to six receivers, none of them primary.
  case parallel = "PARALLEL"
  /// A primary receiver and one to five secondary ones, to which it passes on parts.
  case chained = "CHAINED"

  /// The name in reports: `SIMPLE`, `PARALLEL`, `CHAINED`.
  @inlinable
  public var name: StaticString { rawValue.text }

  /// The maximum number of receivers of a payment.
  public static let maximumReceivers = 6
}

/// A party's role in a payment, as `settlement.csv` names it.
public enum PartyRole: FixedText, FixedValue {
  /// The party that pays.
  case sender = "SENDER"
  /// A receiver of a simple or parallel payment.
  case receiver = "RECEIVER"
  /// The primary receiver of a chained payment.
  case primary = "PRIMARY"
  /// A secondary receiver of a chained payment.
  case secondary = "SECONDARY"

  /// The name in reports: `SENDER`, `RECEIVER`, `PRIMARY`, `SECONDARY`.
  @inlinable
  public var name: StaticString { rawValue.text }
}
