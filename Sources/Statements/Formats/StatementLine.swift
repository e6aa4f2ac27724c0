import ExactArithmetic
import FileSystem
import Money
import Postings
import Text

/// One row of one account's statement, between the payment and the file: its account, what it adds to the account's
/// sums, and its text.
///
/// It is kept as bytes, so that lines can be sorted outside memory: the head, the account, large figures in plain
/// notation with a comma between them, the text.
struct StatementLine {
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

  /// The part of a line before the account.
  struct Head {
    /// The bytes of the whole line.
    var length: UInt32 = 0
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
  }

  private static let headLength = MemoryLayout<Head>.size
  /// More than any line takes: two texts of 255 characters, quotes doubled, and figures of some hundred digits.
  static let maximumLength = 1 << 14

  let start: UnsafePointer<UInt8>

  var head: Head { UnsafeRawPointer(start).loadUnaligned(as: Head.self) }
  /// The bytes of the whole line.
  var length: Int { Int(UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)) }

  /// The account, in lower case.
  var account: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start + Self.headLength, count: Int(head.accountLength))
  }
  /// The row.
  var text: UnsafeBufferPointer<UInt8> {
    let offset = Self.headLength + Int(head.accountLength) + Int(head.figuresLength)
    return UnsafeBufferPointer(start: start + offset, count: length - offset)
  }
  var currency: Currency { Currency(index: Int(head.currency))! }

  /// Gross and fee, zero or more.
  var figures: (gross: ExactDecimal, fee: ExactDecimal) {
    let head = head
    if head.figuresLength == 0 {
      let exponent = -currency.settlementExponent
      return (
        ExactDecimal(magnitude: head.gross, exponent: exponent), ExactDecimal(magnitude: head.fee, exponent: exponent)
      )
    }
    let text = UnsafeBufferPointer(
      start: account.baseAddress! + account.count, count: Int(head.figuresLength))
    let figures = String(decoding: text, as: UTF8.self).split(separator: ",").compactMap { ExactDecimal(String($0)) }
    precondition(figures.count == 2, "a line without its figures")
    return (figures[0], figures[1])
  }

  /// By account (bytes), then by group.
  static let order = RecordOrder { record in
    with(record) { $0.account.span.prefix }
  } compare: { left, right in
    with(left) { left in
      with(right) { right in
        let order = left.account.span.compare(right.account.span)
        return order == 0 ? Int(left.head.group) - Int(right.head.group) : order
      }
    }
  }

  /// Calls `body` with the line of a record.
  static func with<Result, Failure: Error>(
    _ record: Span<UInt8>, _ body: (StatementLine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try record.withUnsafeBufferPointer { bytes throws(Failure) in try body(StatementLine(start: bytes.baseAddress!)) }
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
      head = Head(accountLength: UInt16(account.count), currency: currency.index)
      _ = buffer.reserve(StatementLine.headLength)
      buffer.advance(by: StatementLine.headLength)
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
      head.length = UInt32(buffer.count - start)
      UnsafeMutableRawPointer(buffer.bytes + start).storeBytes(of: head, as: Head.self)
    }
  }
}
