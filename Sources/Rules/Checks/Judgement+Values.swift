import ExactArithmetic
import Glibc
import Input
import Money
import Records
import Text

func accountsEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
  memcmp(left, right, count) == 0
}

/// How single values are read: each reader reports the first fault of its value and answers nil then.
extension Judgement {
  // MARK: Texts

  /// A string's characters: in the line itself, or unescaped into the scratch space.
  @inline(__always)
  mutating func text(_ slice: JSONSlice) -> (bytes: UnsafePointer<UInt8>, count: Int) {
    let bytes = line + Int(slice.start)
    guard slice.isEscaped else { return (bytes, slice.length) }
    let into = takeScratch(slice.length)
    return (UnsafePointer(into), UTF8Text.unescape(bytes, count: slice.length, into: into))
  }

  /// Room in the scratch space until the next record.
  @inline(__always)
  mutating func takeScratch(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(scratchCapacity - scratchUsed >= count, "a record's strings take more room than twice its length")
    defer { scratchUsed += count }
    return scratch + scratchUsed
  }

  /// Makes the scratch space fit a line: every string is unescaped at most once, and accounts are copied once more.
  mutating func reserveScratch(for count: Int) {
    scratchUsed = 0
    let needed = max(1 << 16, 4 * count)
    guard needed > scratchCapacity || scratchCapacity > 1 << 18 else { return }
    scratch.deallocate()
    scratch = .allocate(capacity: needed)
    scratchCapacity = needed
  }

  /// A string that has a value, or nil if it is absent or no string (which is then reported).
  @inline(__always)
  mutating func string(_ slice: JSONSlice, at path: FieldPath) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    if slice.kind == .string { return text(slice) }
    if !slice.isAbsent { reject(.wrongType, at: path, evidence: slice) }
    return nil
  }

  /// What a string spells; nil if it is absent or spells nothing, which is reported as `reason`.
  @inline(__always)
  mutating func spelled<Value>(
    _ slice: JSONSlice, at path: FieldPath, isRequired: Bool = false, orElse reason: RejectionReason = .invalidValue,
    _ find: (UnsafePointer<UInt8>, Int) -> Value?
  ) -> Value? {
    if isRequired, slice.isAbsent { reject(.missingField, at: path) }
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    if let value = find(bytes, count) { return value }
    reject(reason, at: path, evidence: slice)
    return nil
  }

  @inline(__always)
  mutating func value<Value: WireValue>(_ slice: JSONSlice, at path: FieldPath, whenAbsent: Value) -> Value? {
    slice.isAbsent ? whenAbsent : spelled(slice, at: path) { Value.find($0, count: $1) }
  }

  /// A text of `minimum` to `maximum` characters (Unicode scalar values); nobody needs what it says.
  @inline(__always)
  mutating func checkText(_ slice: JSONSlice, at path: FieldPath, minimum: Int = 0, maximum: Int) {
    guard !slice.isAbsent else { return }
    guard slice.kind == .string else { return reject(.wrongType, at: path, evidence: slice) }
    if slice.length < minimum { return reject(.invalidValue, at: path, evidence: slice) }
    // Unescaping only shortens a text, and no character takes less than a byte.
    if slice.length > maximum { checkLongText(slice, at: path, maximum: maximum) }
  }

  @inline(never)
  private mutating func checkLongText(_ slice: JSONSlice, at path: FieldPath, maximum: Int) {
    let (bytes, count) = text(slice)
    if UTF8Text.scalarCount(bytes, count: count) > maximum { reject(.invalidValue, at: path, evidence: slice) }
  }

  /// An account, in lower case; nil if it is absent or none (which is then reported).
  @inline(__always)
  mutating func account(_ slice: JSONSlice, at path: FieldPath) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    let canonical = takeScratch(min(count, Account.maximumLength))
    guard Account.canonicalize(bytes, count: count, into: canonical) else {
      reject(.invalidRecipient, at: path, evidence: slice)
      return nil
    }
    return (UnsafePointer(canonical), count)
  }

  /// A country, wherever the currency may be used.
  @inline(__always)
  mutating func listedCountry(_ slice: JSONSlice, at path: FieldPath) -> Country? {
    spelled(slice, at: path, orElse: .countryNotSupported) { Country.find($0, count: $1) }
  }

  @inline(__always)
  mutating func country(_ slice: JSONSlice, at path: FieldPath) -> Country? {
    let tally = tally
    guard let country = listedCountry(slice, at: path) else { return nil }
    // A country in which a currency of one country may not be used.
    if let only = currency?.onlyCountry, only != country { tally.pointee.hasForeignCountry = true }
    return country
  }

  // MARK: Decimals

  /// What a decimal must be beyond its grammar.
  enum Sign {
    case zeroOrMore
    case aboveZero
  }

  /// Reads a required decimal of any precision into `figure`; false, the figure as it was, if it is not valid.
  @inline(__always)
  mutating func decimal(_ slice: JSONSlice, at path: FieldPath, _ sign: Sign, into figure: inout ExactDecimal) -> Bool {
    if slice.isAbsent {
      reject(.missingField, at: path)
      return false
    }
    guard slice.kind == .string || slice.kind == .number else {
      reject(.wrongType, at: path, evidence: slice)
      return false
    }
    let (bytes, count) = text(slice)
    let literal = DecimalLiteral.scan(
      bytes, count: count, digitLimit: DecimalLimits.digits, exponentLimit: DecimalLimits.exponent)
    if literal.form == .malformed {
      reject(.decimalSyntax, at: path, evidence: slice)
      return false
    }
    if literal.isZero {
      if sign == .aboveZero {
        reject(.amountNotPositive, at: path, evidence: slice)
        return false
      }
    } else if literal.isNegative {
      reject(.negativeAmount, at: path, evidence: slice)
      return false
    }
    figure.set(literal, text: bytes, count: count)
    return true
  }

  /// Reads a required amount, at the currency's exponent, into `figure`; if the currency is not valid, as written.
  ///
  /// - Returns: false if it is not valid; the figure means nothing then.
  @inline(__always)
  mutating func amount(_ slice: JSONSlice, at path: FieldPath, _ sign: Sign, into figure: inout ExactDecimal) -> Bool {
    guard decimal(slice, at: path, sign, into: &figure) else { return false }
    guard let currency else { return true }
    let exponent = -currency.settlementExponent
    if figure.exponent == exponent { return true }
    let isSurplus = figure.exponent < exponent
    if figure.rescale(to: exponent) {
      if isSurplus, !(profile == .known && path.isInReceivers) { note(.surplusDecimals, at: path) }
      return true
    }
    reject(.amountPrecision, at: path, evidence: slice)
    return false
  }
}
