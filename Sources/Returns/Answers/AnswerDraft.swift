import Records

/// What a reader found out about one answer.
struct AnswerDraft {
  enum Kind {
    /// The payment came back, or was refused.
    case `return`
    /// The bank asks for other values.
    case change
    /// Another status of a payment.
    case status
    /// The status of a whole block or file.
    case whole
  }

  var kind: Kind
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
  var document = 0
  /// The corrected values of a change.
  var corrected: [UInt8] = []
  /// Whether the amount of its entry is another one.
  var hasOtherAmount = false
  /// Whether it has no status of its own, or its block or file is refused.
  var isRefusedAsWhole = false
  /// Whether its row in a list has no valid reason.
  var lacksReason = false
  /// Whether it cannot be about a payment of a payout, going by where it is.
  var isElsewhere = false
  /// Its place among the answers of its file, in the order in which they begin.
  var sequence: Int
}
