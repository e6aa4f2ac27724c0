import Ledger

/// What a reader found out about one answer.
struct AnswerDraft {
  var kind: AnswerKind
  var line: Int
  /// The status as `answers.csv` shows it.
  var status: [UInt8]
  /// The texts in the places of the reference; one that is not given is left out.
  var references: [[UInt8]] = []
  /// The file ids that are given, in the order in which `answers.csv` prefers them.
  var fileIDs: [[UInt8]] = []
  /// Nil if it is not given.
  var amount: AnswerAmount?
  var currency: [UInt8] = []
  /// Nil if none is given.
  var reason: [UInt8]?
  var day: Int?
  var accounts = OwnAccount.any
  /// Its document, or the statement or notification of its entry, by `AnswerIntake.beginDocument`.
  var document = 0
  /// The corrected values of a change.
  var corrected: [UInt8] = []
  /// The bank account that the money went to; nil if it is not given.
  var payee: BankAccountDigest?
  /// The NACHA files whose sums it has.
  var files: [BankFilePlace] = []
  /// Whether it has no status of its own, or its block or file is refused.
  var isRefusedAsWhole = false
  /// Whether file ids are given, and settle wrote none of them.
  var hasForeignIDs = false
  /// Whether its row in a list has no valid reason.
  var lacksReason = false
  /// Its place among the answers of its file, in the order in which they begin.
  var sequence: Int

  /// Whether a place has a reference of the form.
  var hasReference: Bool { references.contains { PaymentReference($0) != nil } }
}
