import ExactArithmetic
import Records
import Rules

public struct AgreementHistory: Sendable {
  public let agreement: Agreement
  /// The records that took effect, with their runs, in order.
  public let records: [(action: PreapprovalAction, run: Int)]
  /// What payments used of it, with the runs that settled them, in order.
  public let uses: [(run: Int, payments: Int, amount: ExactDecimal)]
  /// Whether it was never confirmed, and a later night came more than 3 hours after it was made.
  public package(set) var isExpired = false

  /// Its state for people.
  public var status: String { isExpired ? "EXPIRED" : agreement.status.rawValue }
}
