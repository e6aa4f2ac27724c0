/// What a run adds to an agreement.
public struct AgreementEntry: Sendable, Equatable {
  /// What was used of an agreement in a period.
  public struct Use: Sendable, Equatable {
    /// The number of the period.
    public var period: Int64
    /// The number of payments.
    public var payments: Int
    /// Their amount, as a text that only its writer interprets.
    public var amount: String

    /// A use.
    public init(period: Int64, payments: Int, amount: String) {
      self.period = period
      self.payments = payments
      self.amount = amount
    }
  }

  /// Its preapproval key: 1 to 64 bytes.
  public var preapprovalKey: String
  /// The records that took effect, in batch order: bytes that only their writer interprets. An agreement begins with
  /// one.
  public var records: [[UInt8]]
  /// What was used of it, each period once.
  public var uses: [Use]

  /// What a run adds to an agreement.
  public init(preapprovalKey: String, records: [[UInt8]] = [], uses: [Use] = []) {
    self.preapprovalKey = preapprovalKey
    self.records = records
    self.uses = uses
  }
}

/// An agreement as earlier runs left it.
public struct AgreementEntries: Sendable, Equatable {
  /// Its records with the runs that entered them, in order; at least one.
  public internal(set) var records: [(run: Int, content: [UInt8])] = []
  /// What was used of it, by run and, within a run, by period.
  public internal(set) var uses: [(run: Int, use: AgreementEntry.Use)] = []

  /// Whether two are equal.
  public static func == (left: AgreementEntries, right: AgreementEntries) -> Bool {
    left.records.elementsEqual(right.records, by: ==) && left.uses.elementsEqual(right.uses, by: ==)
  }
}
