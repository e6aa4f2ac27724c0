import Bytes

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
    guard let found = Currency.find(Array(code.utf8).span) else { return nil }
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
    let letters = codeBytes
    return String(decoding: [letters.0, letters.1, letters.2], as: UTF8.self)
  }

  /// The three letters of ISO 4217, for writers that do not use strings.
  @inlinable public var codeBytes: (UInt8, UInt8, UInt8) {
    let place = Int(index) * 4
    let codes = CurrencyTable.codes
    return (codes.bytes[place], codes.bytes[place + 1], codes.bytes[place + 2])
  }

  /// The currency's ISO 4217 number.
  public var numericCode: Int { CurrencyTable.numericCodes[Int(index)] }

  /// The currency's number in ledgers, which stays the same whatever currencies are added.
  @inlinable public var ledgerNumber: UInt8 { CurrencyTable.ledgerNumbers.bytes[Int(index)] }

  /// The currency with a number in ledgers, or nil.
  public init?(ledgerNumber: UInt8) {
    guard let currency = Currency.all.first(where: { $0.ledgerNumber == ledgerNumber }) else { return nil }
    self = currency
  }

  /// The English name.
  public var name: String { CurrencyTable.names[Int(index)] }

  /// The currency's decimals according to ISO 4217.
  @inlinable public var minorUnitExponent: Int { Int(CurrencyTable.minorUnitExponents.bytes[Int(index)]) }

  /// The decimals that settlement accepts and rounds to.
  ///
  /// They are those of ISO 4217, except for the forint and the Taiwan dollar, which have two there and none here.
  @inlinable public var settlementExponent: Int { Int(CurrencyTable.settlementExponents.bytes[Int(index)]) }
}

extension Currency {
  /// The currency with exactly this code, in capital letters, or nil.
  ///
  /// Takes the same few steps for every currency: the code selects a slot of a perfect hash. Either the one currency in
  /// that slot has the code, or the code is unknown.
  @inlinable public static func find(_ code: Span<UInt8>) -> Currency? {
    guard code.count == 3 else { return nil }
    let packed = UInt32(code[0]) | UInt32(code[1]) << 8 | UInt32(code[2]) << 16
    let slot = Int((packed &* CurrencyTable.slotMultiplier) &>> CurrencyTable.slotShift)
    let found = Currency(unchecked: CurrencyTable.slots.bytes[slot])
    return found.codeBytes == (code[0], code[1], code[2]) ? found : nil
  }
}
