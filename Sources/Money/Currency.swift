/// One of the currencies that a payment may be in.
///
/// A currency is its index in the order of the codes, one byte. So tables can have an element per currency, and
/// comparing two of them orders them by code.
@frozen public struct Currency: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The index of the currency in the order of the codes, from 0.
  public let index: UInt8

  @inlinable init(unchecked index: UInt8) { self.index = index }

  /// The currency at an index in the order of the codes; nil beyond the last one.
  @inlinable public init?(index: Int) {
    guard index >= 0, index < Currency.count else { return nil }
    self.init(unchecked: UInt8(truncatingIfNeeded: index))
  }

  /// The currency with an ISO 4217 code in capital letters; nil if it is not supported.
  public init?(code: String) {
    guard let found = Currency.find(Array(code.utf8), count: code.utf8.count) else { return nil }
    self = found
  }

  /// All currencies in the order of their codes.
  public static var all: [Currency] { (0..<UInt8(count)).map(Currency.init(unchecked:)) }

  /// Orders currencies by their codes.
  @inlinable public static func < (left: Currency, right: Currency) -> Bool { left.index < right.index }
}

extension Currency {
  /// The three letters of ISO 4217.
  public var code: String {
    let letters = CurrencyTable.codes.utf8Start + Int(index) * 4
    return String(decoding: UnsafeBufferPointer(start: letters, count: 3), as: UTF8.self)
  }

  /// The three letters of ISO 4217, for writers that do not use strings.
  @inlinable public var codeBytes: (UInt8, UInt8, UInt8) {
    let letters = CurrencyTable.codes.utf8Start + Int(index) * 4
    return (letters[0], letters[1], letters[2])
  }

  /// The currency's ISO 4217 number.
  public var numericCode: Int { CurrencyTable.numericCodes[Int(index)] }

  /// The currency's number in ledgers, which stays the same whatever currencies are added.
  @inlinable public var ledgerNumber: UInt8 { CurrencyTable.ledgerNumbers.utf8Start[Int(index)] }

  /// The currency with a number in ledgers, or nil.
  public init?(ledgerNumber: UInt8) {
    let numbers = UnsafeBufferPointer(start: CurrencyTable.ledgerNumbers.utf8Start, count: Currency.count)
    guard let index = numbers.firstIndex(of: ledgerNumber) else { return nil }
    self.init(unchecked: UInt8(index))
  }

  /// The English name.
  public var name: String { CurrencyTable.names[Int(index)] }

  /// The currency's decimals according to ISO 4217.
  @inlinable public var minorUnitExponent: Int { Int(CurrencyTable.minorUnitExponents.utf8Start[Int(index)]) }

  /// The decimals that settlement accepts and rounds to.
  ///
  /// They are those of ISO 4217, except for the forint and the Taiwan dollar, which have two there and none here.
  @inlinable public var settlementExponent: Int { Int(CurrencyTable.settlementExponents.utf8Start[Int(index)]) }
}

extension Currency {
  /// The currency with exactly this code, in capital letters, or nil.
  ///
  /// Takes the same few steps for every currency: the code selects a slot of a perfect hash. Either the one currency in
  /// that slot has the code, or the code is unknown.
  @inlinable public static func find(_ bytes: UnsafePointer<UInt8>, count: Int) -> Currency? {
    guard count == 3 else { return nil }
    let packed = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
    let slot = Int((packed &* CurrencyTable.slotMultiplier) &>> CurrencyTable.slotShift)
    let found = Currency(unchecked: CurrencyTable.slots.utf8Start[slot])
    return found.codeBytes == (bytes[0], bytes[1], bytes[2]) ? found : nil
  }

  /// The currency with exactly this code, in capital letters, or nil.
  @inlinable public static func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Currency? {
    guard let first = bytes.baseAddress else { return nil }
    return find(first, count: bytes.count)
  }
}
