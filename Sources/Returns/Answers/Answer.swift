/// An answer of a bank about a payment of this ledger, as it is kept until all files are read: 80 bytes.
///
/// Equal texts of all answers are stored once, in `AnswerTexts`.
struct Answer {
  struct Flags: OptionSet {
    let rawValue: UInt32

    /// It has a reference of the form.
    static let hasReference = Flags(rawValue: 1)
    /// Two places have different references.
    static let hasTwoReferences = Flags(rawValue: 1 << 1)
    /// Two places have different references, or the file ids are not those of one payout, the reference's.
    static let conflicts = Flags(rawValue: 1 << 2)
    /// A file id of the form is given.
    static let hasFileID = Flags(rawValue: 1 << 3)
    /// File ids are given, and settle wrote none of them.
    static let hasForeignIDs = Flags(rawValue: 1 << 4)
    /// An amount is given, decimal or not.
    static let hasAmount = Flags(rawValue: 1 << 5)
    /// The transactions of its entry have another sum.
    static let hasOtherSum = Flags(rawValue: 1 << 6)
    /// It has no status of its own, or its block or file is refused.
    static let isRefusedAsWhole = Flags(rawValue: 1 << 7)
    /// Its row in a list has no valid reason.
    static let lacksReason = Flags(rawValue: 1 << 8)
    /// `subject` is the digest of the bank account that the money went to.
    static let hasPayee = Flags(rawValue: 1 << 9)
    /// It has the sums of several NACHA files.
    static let fitsSeveral = Flags(rawValue: 1 << 10)
    /// A payout has booked the payment's return.
    static let isBooked = Flags(rawValue: 1 << 11)
  }

  var flags: Flags = []
  var kind = AnswerKind.status
  /// The place of its format in `AnswerFormat.all`.
  var format: UInt8 = 0
  /// The first of its own checks that fails; nil if none does.
  var checked: AnswerCode?
  /// The first check that fails, those of all answers about the payment included.
  var code: AnswerCode?
  var amount = AnswerAmount.Kept()
  /// The payment; the number is 0 without a reference of the form.
  var (payout, number): (UInt32, UInt32) = (0, 0)
  /// The place of its file among those given, its line, and its place among the answers of its file.
  var (file, line, sequence): (UInt32, UInt32, UInt32) = (0, 0, 0)
  /// The document, statement or notification that it is in, unique among all files.
  var document: UInt32 = 0
  /// Its day by number; nil without a valid date.
  var day: Int32?
  /// Its texts in `AnswerTexts`. The detail is the file id or, of a change, the corrected values.
  var (status, reason, currency, detail): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  /// The currencies whose payments its own account makes, as bits; all without an account.
  var accounts = OwnAccount.any
  /// Of a debit without a reference, the place of its file in `AnswerIntake.bankFiles`; of a return, a digest.
  var subject: UInt64 = 0

  /// Sorts as the reference does.
  var key: UInt64 { UInt64(payout) << 32 | UInt64(number) }

  /// Sorts answers that are not about the same payment, or are equal otherwise.
  var place: UInt64 { UInt64(file) << 32 | UInt64(sequence) }

  /// The day, or before all days.
  var sortingDay: Int32 { day ?? .min }

  var hasReference: Bool { flags.contains(.hasReference) }
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

  subscript(place: UInt32) -> Answer {
    get { chunks[Int(place) / Self.chunk][Int(place) % Self.chunk] }
    _modify { yield &chunks[Int(place) / Self.chunk][Int(place) % Self.chunk] }
  }
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
