/// An answer of a bank about a payment of this ledger, with the members of both of its parts.
@dynamicMemberLookup
struct Answer {
  var head = AnswerHead()
  var details = AnswerDetails()

  struct Flags: OptionSet {
    let rawValue: UInt16

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

  subscript<Value>(dynamicMember member: KeyPath<AnswerHead, Value>) -> Value { head[keyPath: member] }

  subscript<Value>(dynamicMember member: WritableKeyPath<AnswerHead, Value>) -> Value {
    get { head[keyPath: member] }
    set { head[keyPath: member] = newValue }
  }

  subscript<Value>(dynamicMember member: WritableKeyPath<AnswerDetails, Value>) -> Value {
    get { details[keyPath: member] }
    set { details[keyPath: member] = newValue }
  }

  /// The day, or before all days.
  var sortingDay: Int32 { details.day ?? .min }
}

/// What each answer has of its own, as it is kept until all files are read: 32 bytes.
struct AnswerHead {
  /// The payment; the number is 0 without a reference of the form.
  var (payout, number): (UInt32, UInt32) = (0, 0)
  /// The place of its file among those given, its line, and its place among the answers of its file.
  var (file, line, sequence): (UInt32, UInt32, UInt32) = (0, 0, 0)
  /// The place of its details in the store.
  var placeOfDetails: UInt32 = 0
  var flags: Answer.Flags = []
  var kind = AnswerKind.status
  /// The place of its format in `AnswerFormat.all`.
  var format: UInt8 = 0
  /// The first of its own checks that fails; nil if none does.
  var checked: AnswerCode?
  /// The first check that fails, those of all answers about the payment included.
  var code: AnswerCode?

  /// Sorts as the reference does.
  var key: UInt64 { UInt64(payout) << 32 | UInt64(number) }

  /// Sorts answers that are not about the same payment, or are equal otherwise.
  var place: UInt64 { UInt64(file) << 32 | UInt64(sequence) }

  var hasReference: Bool { flags.contains(.hasReference) }
}

/// What many answers of a file have alike: 56 bytes. Equal texts of all answers are stored once, in `AnswerTexts`.
struct AnswerDetails: Hashable {
  /// Of a debit without a reference, the place of its file in `AnswerIntake.bankFiles`; of a return, a digest.
  var subject: UInt64 = 0
  var amount = AnswerAmount.Kept()
  /// The document, statement or notification that it is in, unique among all files.
  var document: UInt32 = 0
  /// Its texts in `AnswerTexts`. The detail is the file id or, of a change, the corrected values.
  var (status, reason, currency, detail): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  /// The currencies whose payments its own account makes, as bits; all without an account.
  var accounts = OwnAccount.any
  /// Its day by number; nil without a valid date.
  var day: Int32?
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
