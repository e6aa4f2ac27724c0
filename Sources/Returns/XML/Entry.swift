import ExactArithmetic

extension EntryReader {
  /// An amount and its currency, as they are given.
  struct EntryAmount {
    let text, currency: [UInt8]
  }

  /// What a transaction of an entry says.
  struct Payment {
    let line, sequence: Int
    var direction: [UInt8]?
    var state: [UInt8]?
    var subFamily: [UInt8]?
    var amount: EntryAmount?
    var otherAmount: EntryAmount?
    var messageID: [UInt8]?
    var fileID: [UInt8]?
    var instruction: [UInt8]?
    var endToEnd: [UInt8]?
    var isReturned = false
    var reasons = GivenReasons()
    /// The first texts for the payee, at most two.
    var texts: [[UInt8]] = []

    init(line: Int, sequence: Int) { (self.line, self.sequence) = (line, sequence) }

    /// Its own amount; nil if only the entry has one.
    var anyAmount: EntryAmount? { amount ?? otherAmount }

    mutating func keepFirst<Value>(_ part: WritableKeyPath<Payment, Value?>, _ value: Value) {
      if self[keyPath: part] == nil { self[keyPath: part] = value }
    }
  }

  /// What an entry says.
  struct Entry {
    /// The most transactions that wait for the file ids of the entry.
    static let mostWaiting = 10_000

    let line, sequence: Int
    /// The place of its first answer among those that are kept.
    let firstAnswer: Int
    var direction: [UInt8]?
    var reversal: [UInt8]?
    var state: [UInt8]?
    var hasState = false
    var subFamily: [UInt8]?
    var amount: EntryAmount?
    var day: Int?
    /// The file ids of its first batch, and how many batches have begun.
    var (fileID, messageID): ([UInt8]?, [UInt8]?) = (nil, nil)
    var batches = 0
    /// Its transactions: how many have ended, the first until it is taken, and those that wait for file ids.
    var payments = 0
    var first: Payment?
    var waiting: [AnswerDraft] = []
    /// Whether others did not wait, because these are too many.
    var hasAnsweredEarly = false
    /// The sum of its transactions; nil if one of them cannot be added.
    private var sum: ExactDecimal? = .zero
    private var currencyOfSum: [UInt8]?

    init(line: Int, sequence: Int, firstAnswer: Int) {
      (self.line, self.sequence, self.firstAnswer) = (line, sequence, firstAnswer)
    }

    private static let (credit, debit, booked) = (Array("CRDT".utf8), Array("DBIT".utf8), Array("BOOK".utf8))
    private static let returns = [Array("RRTN".utf8), Array("RPCR".utf8)]
    private static let reversals = [Array("true".utf8), Array("1".utf8)]

    mutating func keepFirst<Value>(_ part: WritableKeyPath<Entry, Value?>, _ value: Value) {
      if self[keyPath: part] == nil { self[keyPath: part] = value }
    }

    /// What a transaction of the entry says; nil if it is not booked.
    func kind(of payment: Payment) -> AnswerKind? {
      guard payment.state ?? state == Self.booked else { return nil }
      let isMarked = payment.isReturned || (payment.subFamily ?? subFamily).map(Self.returns.contains) ?? false
      switch payment.direction ?? direction {
      case Self.credit: return isMarked ? .return : .credit
      case Self.debit: return isMarked || reversal.map(Self.reversals.contains) ?? false ? .reversal : .debit
      default: return nil
      }
    }

    /// Adds the amount of a transaction to the sum.
    mutating func add(_ payment: Payment) {
      guard sum != nil else { return }
      guard let amount = payment.anyAmount, let value = AnswerAmount.value(of: amount.text),
        currencyOfSum == nil || currencyOfSum == amount.currency,
        payment.direction == nil || direction == nil || payment.direction == direction
      else { return sum = nil }
      currencyOfSum = amount.currency
      sum! += value
    }

    /// Whether all transactions have an amount, in the entry's currency and direction, and their sum is not its amount.
    var hasOtherSum: Bool {
      guard payments > 0, let sum, let amount, amount.currency == currencyOfSum else { return false }
      return AnswerAmount.value(of: amount.text) != sum
    }
  }
}
