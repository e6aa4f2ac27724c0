/// An answer of a bank about a payment of this ledger, as it is kept until all files are read: 64 bytes.
///
/// Equal texts of all answers are stored once, in `AnswerTexts`.
struct Answer {
  struct Flags: OptionSet {
    let rawValue: UInt16

    /// It says that the payment came back.
    static let returns = Flags(rawValue: 1)
    /// It asks for other values next time; the payment was made.
    static let changes = Flags(rawValue: 1 << 1)
    /// It is about a whole block or file.
    static let isWhole = Flags(rawValue: 1 << 2)
    /// It has a reference of the form.
    static let hasReference = Flags(rawValue: 1 << 3)
    /// Two places have different references, or a file id names another payout.
    static let conflicts = Flags(rawValue: 1 << 4)
    /// A file id of the form is given.
    static let hasFileID = Flags(rawValue: 1 << 5)
    /// An amount is given, decimal or not.
    static let hasAmount = Flags(rawValue: 1 << 6)
    /// The amount of its entry is another one.
    static let hasOtherAmount = Flags(rawValue: 1 << 7)
    /// It has no status of its own, or its block or file is refused.
    static let isRefusedAsWhole = Flags(rawValue: 1 << 8)
    /// Its row in a list has no valid reason.
    static let lacksReason = Flags(rawValue: 1 << 9)
  }

  var flags: Flags = []
  /// The place of its format in `AnswerFormat.all`.
  var format: UInt8 = 0
  var amount = AnswerAmount.Kept()
  /// The payment; zeros without a reference of the form.
  var (payout, number): (UInt32, UInt32) = (0, 0)
  /// The place of its file among those given, its line, and its place among the answers of its file.
  var (file, line, sequence): (UInt32, UInt32, UInt32) = (0, 0, 0)
  /// The document that it is in, unique among all files.
  var document: UInt32 = 0
  /// Its day by number; nil without a valid date.
  var day: Int32?
  /// Its texts in `AnswerTexts`. The detail is the file id or, of a change, the corrected values.
  var (status, reason, currency, detail): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  /// The currencies whose payments its own account makes, as bits; all without an account.
  var accounts = OwnAccount.any

  /// Sorts as the reference does.
  var key: UInt64 { UInt64(payout) << 32 | UInt64(number) }
}

/// Answers in the order in which they were read. They never move, so that memory does not double.
struct AnswerStore {
  private static let chunk = 1 << 12
  private var chunks: [[Answer]] = []
  private(set) var count = 0

  mutating func append(_ answer: Answer) {
    if count % Self.chunk == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunk)
    }
    chunks[chunks.count - 1].append(answer)
    count += 1
  }

  subscript(place: UInt32) -> Answer { chunks[Int(place) / Self.chunk][Int(place) % Self.chunk] }
}

/// The texts of answers, each kept once; 0 is the empty text.
struct AnswerTexts {
  private var places: [[UInt8]: UInt32] = [[]: 0]
  private var texts: [[UInt8]] = [[]]

  mutating func place(of text: [UInt8]) -> UInt32 {
    if text.isEmpty { return 0 }
    if let place = places[text] { return place }
    let place = UInt32(texts.count)
    places[text] = place
    texts.append(text)
    return place
  }

  subscript(place: UInt32) -> [UInt8] { texts[Int(place)] }
}
