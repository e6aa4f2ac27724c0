import ExactArithmetic
import FileSystem
import Money
import Text

/// One row of one account's statement, between the payment and the file: its account, what it adds to the account's
/// sums, and its text.
///
/// It is kept as bytes, so that lines can be sorted outside memory: the head, the account, large figures in plain
/// notation with a comma between them, the text.
struct StatementLine: ~Escapable {
  /// Properties of a line.
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The amount is taken from the account.
    static let isDebit = Flags(rawValue: 1)
    /// A text lost backslashes.
    static let lostBackslashes = Flags(rawValue: 2)
    /// A text was left out.
    static let leftOutText = Flags(rawValue: 4)
    /// A card number in a text was masked.
    static let maskedCardNumber = Flags(rawValue: 8)
    /// The fee is given back to the account.
    static let isFeeCredit = Flags(rawValue: 16)
  }

  /// The part of a line before the account: four words of eight bytes.
  struct Head {
    static let length = 4 * 8

    /// The bytes of the whole line.
    var lineLength: UInt32 = 0
    let accountLength: UInt16
    /// The bytes of figures that are too large for `gross` and `fee`; 0 if they fit.
    var figuresLength: UInt16 = 0
    /// Where the day's first second is written into the text, twice; 0 if the payment has a time.
    var dayOffset: UInt16 = 0
    let currency: UInt8
    var flags: Flags = []
    /// An account's lines are sorted by this first; 0 for all lines keeps their order.
    var group: UInt8 = 0
    /// Coefficients at the currency's exponent.
    var gross: UInt64 = 0
    var fee: UInt64 = 0

    init(accountLength: Int, currency: UInt8) {
      (self.accountLength, self.currency) = (UInt16(accountLength), currency)
    }

    init(_ line: Span<UInt8>) {
      func word(_ place: Int) -> UInt64 { line.littleEndian(at: 8 * place, as: UInt64.self) }
      let (lengths, more) = (word(0), word(1))
      lineLength = UInt32(truncatingIfNeeded: lengths)
      accountLength = UInt16(truncatingIfNeeded: lengths >> 32)
      figuresLength = UInt16(truncatingIfNeeded: lengths >> 48)
      dayOffset = UInt16(truncatingIfNeeded: more)
      currency = UInt8(truncatingIfNeeded: more >> 16)
      flags = Flags(rawValue: UInt8(truncatingIfNeeded: more >> 24))
      group = UInt8(truncatingIfNeeded: more >> 32)
      (gross, fee) = (word(2), word(3))
    }

    /// Writes it in the place of another head.
    func write(at start: Int, in buffer: inout TextBuffer) {
      let lengths = UInt64(lineLength) | UInt64(accountLength) << 32 | UInt64(figuresLength) << 48
      let kinds = UInt64(currency) << 16 | UInt64(flags.rawValue) << 24 | UInt64(group) << 32
      buffer.set(littleEndian: lengths, at: start)
      buffer.set(littleEndian: UInt64(dayOffset) | kinds, at: start + 8)
      buffer.set(littleEndian: gross, at: start + 16)
      buffer.set(littleEndian: fee, at: start + 24)
    }
  }

  /// More than any line takes: two texts of 255 characters, quotes doubled, and figures of some hundred digits.
  static let maximumLength = 1 << 14

  let head: Head
  private let line: Span<UInt8>

  /// The line at the beginning of a text.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    head = Head(text)
    line = text.extracting(first: Int(head.lineLength))
  }

  /// The bytes of the whole line.
  var length: Int { line.count }

  /// The account, in lower case.
  var account: Span<UInt8> {
    @_lifetime(copy self) get { line.extracting(Head.length..<Head.length + Int(head.accountLength)) }
  }
  /// The row.
  var text: Span<UInt8> {
    @_lifetime(copy self) get {
      line.extracting(droppingFirst: Head.length + Int(head.accountLength) + Int(head.figuresLength))
    }
  }
  var currency: Currency { Currency(index: Int(head.currency))! }

  /// Gross and fee, zero or more.
  var figures: (gross: ExactDecimal, fee: ExactDecimal) {
    if head.figuresLength == 0 {
      let exponent = -currency.settlementExponent
      return (
        ExactDecimal(magnitude: head.gross, exponent: exponent), ExactDecimal(magnitude: head.fee, exponent: exponent)
      )
    }
    let start = Head.length + Int(head.accountLength)
    let text = line.extracting(start..<start + Int(head.figuresLength))
    let figures = String(decoding: text).split(separator: ",").compactMap { ExactDecimal(String($0)) }
    precondition(figures.count == 2, "a line without its figures")
    return (figures[0], figures[1])
  }

  /// By account (bytes), then by group.
  static let order = RecordOrder { record in
    StatementLine(record).account.prefix
  } compare: { left, right in
    let (left, right) = (StatementLine(left), StatementLine(right))
    let order = left.account.compare(right.account)
    return order == 0 ? Int(left.head.group) - Int(right.head.group) : order
  }

  /// A line that is being written at the end of a buffer: its text follows, then `finish`.
  struct Draft {
    private let start: Int
    let textStart: Int
    var head: Head

    /// Begins a receiver's line: everything except its text.
    init(
      _ account: Span<UInt8>, _ currency: Currency, gross: ExactDecimal = .zero, fee: ExactDecimal = .zero,
      in buffer: inout TextBuffer
    ) {
      start = buffer.count
      head = Head(accountLength: account.count, currency: currency.index)
      for _ in 0..<Head.length / 8 { buffer.append(littleEndian: UInt64(0)) }
      buffer.append(account)
      let figures = buffer.count
      if let gross = gross.inlineMagnitude, let fee = fee.inlineMagnitude {
        (head.gross, head.fee) = (gross, fee)
      } else {
        buffer.append(gross)
        buffer.append(UInt8(ascii: ","))
        buffer.append(fee)
      }
      textStart = buffer.count
      head.figuresLength = UInt16(textStart - figures)
    }

    /// Ends the line. What was appended since `init` is its text.
    mutating func finish(in buffer: inout TextBuffer) {
      precondition(buffer.count - start <= StatementLine.maximumLength, "the line is too long")
      head.lineLength = UInt32(buffer.count - start)
      head.write(at: start, in: &buffer)
    }
  }
}
