/// The kind of a payment, which its receivers determine (`rules.md`, "Kind").
public enum PaymentKind: UInt8, CaseIterable, Sendable {
  /// One receiver.
  case simple = 0
  /// Two to six receivers, none of them primary.
  case parallel = 1
  /// A primary receiver and one to five secondary ones, to which it passes on parts.
  case chained = 2

  /// The name in reports: `SIMPLE`, `PARALLEL`, `CHAINED`.
  @inlinable
  public var name: StaticString {
    switch self {
    case .simple: "SIMPLE"
    case .parallel: "PARALLEL"
    case .chained: "CHAINED"
    }
  }

  /// The maximum number of receivers of a payment.
  public static let maximumReceivers = 6
}

/// A party's role in a payment, as `settlement.csv` names it.
public enum PartyRole: UInt8, CaseIterable, Sendable {
  /// The party that pays.
  case sender
  /// A receiver of a simple or parallel payment.
  case receiver
  /// The primary receiver of a chained payment.
  case primary
  /// A secondary receiver of a chained payment.
  case secondary

  /// The name in reports: `SENDER`, `RECEIVER`, `PRIMARY`, `SECONDARY`.
  @inlinable
  public var name: StaticString {
    switch self {
    case .sender: "SENDER"
    case .receiver: "RECEIVER"
    case .primary: "PRIMARY"
    case .secondary: "SECONDARY"
    }
  }
}
