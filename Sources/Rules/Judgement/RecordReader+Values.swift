import ExactArithmetic
import Input
import Money
import Records
import Text

/// Readers of single values. Each reports the first fault of its value and then returns nil or false.
extension RecordReader {
  // MARK: Texts

  /// A string; nil if it is absent or not a string, which is reported.
  @inline(__always)
  mutating func string(_ value: FieldValue) -> RecordText? {
    if value.kind == .string { return text(value.slice) }
    if !value.isAbsent { reject(.wrongType, value) }
    return nil
  }

  /// A string, parsed; nil if it is absent or cannot be parsed, which is reported as `reason`.
  @inline(__always)
  mutating func spelled<Value>(
    _ value: FieldValue, isRequired: Bool = false, orElse reason: RejectionReason = .invalidValue,
    _ find: (Span<UInt8>) -> Value?
  ) -> Value? {
    if isRequired, value.isAbsent { reject(.missingField, value) }
    guard let text = string(value) else { return nil }
    if let found = find(self[text]) { return found }
    reject(reason, value)
    return nil
  }

  @inline(__always)
  mutating func value<Value: WireValue>(_ value: FieldValue, whenAbsent: Value?) -> Value? {
    value.isAbsent ? whenAbsent : spelled(value) { Value.find($0) }
  }

  /// Checks a text of `minimum` to `maximum` characters (Unicode scalar values).
  ///
  /// - Parameter isOfTaxAddress: whether tax rates are found by it; no other rule needs the contents of a text.
  @inline(__always)
  mutating func checkText(
    _ value: FieldValue, minimum: Int = 0, maximum: Int = LongText.most, isOfTaxAddress: Bool = false
  ) {
    guard !value.isAbsent else { return }
    guard value.kind == .string else { return reject(.wrongType, value) }
    if value.slice.length < minimum { return refuse(value, orNote: .textEmpty) }
    // Unescaping only shortens a text, and a character takes at least a byte.
    if value.slice.length > maximum { checkLongText(value, maximum: maximum, isOfTaxAddress: isOfTaxAddress) }
  }

  @inline(never)
  private mutating func checkLongText(_ value: FieldValue, maximum: Int, isOfTaxAddress: Bool) {
    let text = text(value.slice)
    guard UTF8Text.scalarCount(self[text]) > maximum else { return }
    refuse(value, orNote: .textTooLong, isOfTaxAddress: isOfTaxAddress)
  }

  /// Rejects a value that is not valid, or only notes it if no amount depends on it
  /// (`rules.md`, "What no amount depends on").
  @inline(never)
  private mutating func refuse(
    _ value: FieldValue, orNote notice: Notice, _ reason: RejectionReason = .invalidValue,
    isOfTaxAddress: Bool = false
  ) {
    if isOfTaxAddress ? refusesTaxAddress : refusesTexts {
      reject(reason, value)
    } else {
      note(notice, at: value.path)
    }
  }

  /// An account, in lower case; nil if it is absent or not an account, which is reported.
  @inline(__always)
  mutating func account(_ value: FieldValue) -> RecordText? {
    guard let text = string(value) else { return nil }
    if text.count <= Account.maximumLength {
      let account = copy(text)
      if copies.change(account.range, { Account.canonicalize(&$0) }) { return account }
    }
    reject(.invalidRecipient, value)
    return nil
  }

  /// A required key of a payment, a refund or an agreement; nil if it is not valid.
  @inline(__always)
  mutating func key(_ value: FieldValue) -> RecordText? {
    if value.isAbsent { reject(.missingField, value) }
    return checked(value, PayKey.isValid)
  }

  /// A date-time, as it is written; nil if it is absent or not valid.
  @inline(__always) @discardableResult
  mutating func time(_ value: FieldValue) -> RecordText? { checked(value, Timestamp.isValid) }

  /// The number of a receiver's category in the fee schedule; -1 if it has none, or one that no fee depends on.
  @inline(never)
  mutating func category(_ value: FieldValue) -> Int {
    guard let text = checked(value, PayKey.isValid) else { return -1 }
    return categories.number(of: self[text]) ?? -1
  }

  /// A string that is valid; nil if it is absent or not valid, which is reported.
  @inline(__always)
  private mutating func checked(_ value: FieldValue, _ isValid: (Span<UInt8>) -> Bool) -> RecordText? {
    guard let text = string(value) else { return nil }
    if isValid(self[text]) { return text }
    reject(.invalidValue, value)
    return nil
  }

  /// A required date-time, in seconds since 1970-01-01T00:00:00Z; nil if it is not valid.
  mutating func requiredTime(_ value: FieldValue) -> Int? {
    spelled(value, isRequired: true) { Timestamp.isValid($0) ? Timestamp.seconds($0) : nil }
  }

  /// Checks the address to which notifications go.
  @inline(__always)
  mutating func checkURL(_ value: FieldValue) {
    guard let text = string(value) else { return }
    if !NotificationURL.isValid(self[text]) { refuse(value, orNote: .urlNotUsed) }
  }

  /// A required currency; nil if it is not valid.
  @inline(__always)
  mutating func requiredCurrency(_ value: FieldValue) -> Currency? {
    spelled(value, isRequired: true, orElse: .currencyNotSupported) { Currency.find($0) }
  }

  /// Checks the country code of a shipping address.
  mutating func checkAddressCountry(_ value: FieldValue) {
    guard let text = string(value) else { return }
    if Country.find(self[text]) == nil {
      refuse(value, orNote: .countryNotUsed, .countryNotSupported, isOfTaxAddress: true)
    }
  }

  /// A country, whether or not the currency may be used there.
  @inline(__always)
  mutating func listedCountry(_ value: FieldValue) -> Country? {
    spelled(value, orElse: .countryNotSupported) { Country.find($0) }
  }

  @inline(__always)
  mutating func country(_ value: FieldValue) -> Country? {
    guard let country = listedCountry(value) else { return nil }
    if let only = currency?.onlyCountry, only != country { hasForeignCountry = true }
    return country
  }

  // MARK: Decimals

  /// The sign that a decimal must have.
  enum Sign {
    case zeroOrMore
    case aboveZero
  }

  /// Reads a required decimal of any precision into `figure`. If it is not valid, returns false and leaves `figure` as
  /// it was.
  @inline(__always)
  mutating func decimal(_ value: FieldValue, _ sign: Sign, into figure: inout ExactDecimal) -> Bool {
    if value.isAbsent { return refuse(.missingField, value) }
    if value.kind != .string, value.kind != .number { return refuse(.wrongType, value) }
    let literal = value.slice.isEscaped ? escapedDecimal(value.slice) : Self.scan(self[unescaped: value.slice])
    if literal.form == .malformed { return refuse(.decimalSyntax, value) }
    if literal.isZero, sign == .aboveZero { return refuse(.amountNotPositive, value) }
    if !literal.isZero, literal.isNegative { return refuse(.negativeAmount, value) }
    if literal.form == .inline {
      figure.set(literal, text: Span())
    } else {
      setLarge(&figure, literal, value.slice)
    }
    return true
  }

  /// The coefficient of an amount with two decimals, if it is written as most are; otherwise nil.
  @inline(always)
  func hundredths(_ value: FieldValue) -> UInt64? {
    guard value.kind == .string || value.kind == .number else { return nil }
    let start = Int(value.slice.start)
    return DecimalLiteral.hundredths(of: start..<start &+ value.slice.length, in: scanner.line)
  }

  /// The number that is written with one digit; otherwise nil.
  @inline(always)
  func digit(_ value: FieldValue) -> UInt64? {
    guard value.kind == .string || value.kind == .number, value.slice.length == 1 else { return nil }
    let digit = scanner.line[Int(value.slice.start)] &- UInt8(ascii: "0")
    return digit <= 9 ? UInt64(digit) : nil
  }

  @inline(__always)
  private static func scan(_ text: Span<UInt8>) -> DecimalLiteral {
    DecimalLiteral.scan(text, digitLimit: DecimalLimits.digits, exponentLimit: DecimalLimits.exponent)
  }

  @inline(never)
  private mutating func escapedDecimal(_ slice: JSONSlice) -> DecimalLiteral {
    let text = text(slice)
    return Self.scan(self[text])
  }

  /// Sets a figure to a large value, whose digits are read again.
  @inline(never)
  private mutating func setLarge(_ figure: inout ExactDecimal, _ literal: DecimalLiteral, _ slice: JSONSlice) {
    let text = text(slice)
    figure.set(literal, text: self[text])
  }

  /// Reads a required amount into `figure`, at the currency's exponent, or as written if the currency is not valid.
  ///
  /// - Returns: false if it is not valid; `figure` is meaningless then.
  @inline(never)
  mutating func amount(_ value: FieldValue, _ sign: Sign, into figure: inout ExactDecimal) -> Bool {
    if let currency, currency.settlementExponent == 2, let magnitude = hundredths(value),
      magnitude != 0 || sign == .zeroOrMore
    {
      figure.set(ExactDecimal(magnitude: magnitude, exponent: -2))
      return true
    }
    return anyAmount(value, sign, into: &figure)
  }

  /// A required amount; nil if it is not valid.
  mutating func amount(_ value: FieldValue, _ sign: Sign) -> ExactDecimal? {
    var figure = ExactDecimal.zero
    return amount(value, sign, into: &figure) ? figure : nil
  }

  @inline(never)
  private mutating func anyAmount(_ value: FieldValue, _ sign: Sign, into figure: inout ExactDecimal) -> Bool {
    guard decimal(value, sign, into: &figure) else { return false }
    guard let currency else { return true }
    let exponent = -currency.settlementExponent
    if figure.exponent == exponent { return true }
    let isSurplus = figure.exponent < exponent
    guard figure.rescale(to: exponent) else { return refuse(.amountPrecision, value) }
    if isSurplus, !(profile == .known && value.path.isInReceivers) { note(.surplusDecimals, at: value.path) }
    return true
  }
}
