import BatchFile
import ExactArithmetic
import Glibc
import Money

/// The first sixteen bytes of an account as numbers that sort as they do.
struct AccountWords: Equatable {
  let first: UInt64
  let second: UInt64

  static func < (left: AccountWords, right: AccountWords) -> Bool {
    left.first != right.first ? left.first < right.first : left.second < right.second
  }
}

/// One row of one account's statement on its way from the payment to the file: to whom it belongs, what it adds to the
/// account's sums, and its text.
///
/// Written as bytes, so that lines can be sorted outside memory:
///
/// | bytes | what |
/// |---|---|
/// | 4 | length of all |
/// | 2 | length of the account |
/// | 2 | length of large figures |
/// | 2 | where the day's first second is to be filled in, from the start of the text; 0 where nowhere |
/// | 1 | currency |
/// | 1 | flags |
/// | 8, 8 | gross and fee, as coefficients at the currency's exponent, unless they are large |
/// | | account; large figures in plain notation, a comma between them; text |
struct StatementLine {
  /// What is to be known of a line beyond its figures.
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The amount is taken from the account.
    static let isDebit = Flags(rawValue: 1)
    /// The figures are written out.
    static let isLarge = Flags(rawValue: 2)
    /// A text lost backslashes.
    static let lostBackslashes = Flags(rawValue: 4)
    /// A text was left out.
    static let leftOutText = Flags(rawValue: 8)
    /// A card number in a text was masked.
    static let maskedCardNumber = Flags(rawValue: 16)
  }

  static let headLength = 28
  /// More than any line takes: two texts of 255 characters, quotes doubled, and figures of some hundred digits.
  static let maximumLength = 1 << 14

  let start: UnsafePointer<UInt8>

  private func load<Number: BitwiseCopyable>(_ offset: Int, as type: Number.Type) -> Number {
    UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// The bytes of all.
  var length: Int { Int(load(0, as: UInt32.self)) }
  private var accountLength: Int { Int(load(4, as: UInt16.self)) }
  private var figuresLength: Int { Int(load(6, as: UInt16.self)) }
  /// Where the day's first second goes, twice, in the text; nil where the payment says when it was made.
  var dayOffset: Int? {
    let offset = Int(load(8, as: UInt16.self))
    return offset == 0 ? nil : offset
  }
  var currency: Currency { Currency(index: Int(load(10, as: UInt8.self))).unsafelyUnwrapped }
  var flags: Flags { Flags(rawValue: load(11, as: UInt8.self)) }
  /// The account, in lower case.
  var account: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start + Self.headLength, count: accountLength)
  }
  /// The row.
  var text: UnsafeBufferPointer<UInt8> {
    let offset = Self.headLength + accountLength + figuresLength
    return UnsafeBufferPointer(start: start + offset, count: length - offset)
  }

  /// Gross and fee, zero or more.
  var figures: (gross: ExactDecimal, fee: ExactDecimal) {
    guard flags.contains(.isLarge) else {
      let exponent = -currency.settlementExponent
      return (
        ExactDecimal(magnitude: load(12, as: UInt64.self), exponent: exponent),
        ExactDecimal(magnitude: load(20, as: UInt64.self), exponent: exponent)
      )
    }
    let text = String(
      decoding: UnsafeBufferPointer(start: start + Self.headLength + accountLength, count: figuresLength),
      as: UTF8.self)
    let figures = text.split(separator: ",").map { ExactDecimal(String($0)) }
    precondition(figures.count == 2, "a line without its figures")
    guard let gross = figures[0], let fee = figures[1] else { preconditionFailure("a line without its figures") }
    return (gross, fee)
  }

  /// How the account begins.
  var accountWords: AccountWords { AccountWords(first: accountWord(0), second: accountWord(8)) }

  /// Eight bytes of the account as a number that sorts as they do; zeros stand for bytes behind its end.
  private func accountWord(_ offset: Int) -> UInt64 {
    if accountLength >= offset + 8 { return UInt64(bigEndian: load(Self.headLength + offset, as: UInt64.self)) }
    guard accountLength > offset else { return 0 }
    let bytes = account[offset...]
    return bytes.reduce(into: 0) { $0 = $0 << 8 | UInt64($1) } << UInt64(8 * (8 - bytes.count))
  }

  /// How the accounts of two lines are ordered: below zero, zero or above, as their bytes are.
  static func compareAccounts(_ left: StatementLine, _ right: StatementLine) -> Int {
    let (left, right) = (left.account, right.account)
    let order = memcmp(
      left.baseAddress.unsafelyUnwrapped, right.baseAddress.unsafelyUnwrapped, min(left.count, right.count))
    return order == 0 ? left.count - right.count : Int(order)
  }

  // MARK: Writing

  /// A line that is being written at the end of a buffer: its text follows, then `finish`.
  struct Draft {
    private let start: Int
    let textStart: Int
    var flags: Flags
    /// Where the day's first second goes, from the start of the text.
    var dayOffset = 0

    /// Begins a line: everything but its text.
    init(
      account: UnsafePointer<UInt8>, count: Int, currency: Currency, gross: ExactDecimal, fee: ExactDecimal,
      flags: Flags, in buffer: inout TextBuffer
    ) {
      start = buffer.count
      self.flags = flags
      let head = buffer.reserve(StatementLine.headLength)
      head.update(repeating: 0, count: StatementLine.headLength)
      buffer.advance(by: StatementLine.headLength)
      buffer.append(account, count: count)
      if let gross = gross.inlineMagnitude, let fee = fee.inlineMagnitude {
        Self.store(gross, at: start + 12, in: &buffer)
        Self.store(fee, at: start + 20, in: &buffer)
      } else {
        self.flags.insert(.isLarge)
        let figures = buffer.count
        buffer.append(gross)
        buffer.append(UInt8(ascii: ","))
        buffer.append(fee)
        Self.store(UInt16(buffer.count - figures), at: start + 6, in: &buffer)
      }
      textStart = buffer.count
      Self.store(UInt16(count), at: start + 4, in: &buffer)
      Self.store(currency.index, at: start + 10, in: &buffer)
    }

    /// Ends the line: what was appended since is its text.
    func finish(in buffer: inout TextBuffer) {
      precondition(buffer.count - start <= StatementLine.maximumLength, "a line longer than any should be")
      Self.store(UInt32(buffer.count - start), at: start, in: &buffer)
      Self.store(UInt16(dayOffset), at: start + 8, in: &buffer)
      Self.store(flags.rawValue, at: start + 11, in: &buffer)
    }

    private static func store<Number: BitwiseCopyable>(_ number: Number, at offset: Int, in buffer: inout TextBuffer) {
      UnsafeMutableRawPointer(buffer.bytes + offset).storeBytes(of: number, as: Number.self)
    }
  }
}
