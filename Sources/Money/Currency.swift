/// One of the currencies that a payment may be in.
///
/// A currency is its place in the order of the codes, one byte, so that tables can be kept per currency and
/// comparing two of them sorts by code.
@frozen public struct Currency: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The place of the currency in the order of the codes, from 0.
  public let index: UInt8

  @inlinable init(unchecked index: UInt8) { self.index = index }

  /// The currency at a place in the order of the codes, or nil beyond the last one.
  @inlinable public init?(index: Int) {
    guard index >= 0, index < Currency.count else { return nil }
    self.init(unchecked: UInt8(truncatingIfNeeded: index))
  }

  /// The currency of an ISO 4217 code in capital letters, or nil if it is not one of those supported.
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

  /// The three letters of ISO 4217, for writers that do without strings.
  @inlinable public var codeBytes: (UInt8, UInt8, UInt8) {
    let letters = CurrencyTable.codes.utf8Start + Int(index) * 4
    return (letters[0], letters[1], letters[2])
  }

  /// The number that ISO 4217 gives the currency.
  public var numericCode: Int { CurrencyTable.numericCodes[Int(index)] }

  /// The number by which ledgers know the currency: it stays the same, whatever currencies are added.
  @inlinable public var ledgerNumber: UInt8 { CurrencyTable.ledgerNumbers.utf8Start[Int(index)] }

  /// The currency of a number in a ledger; nil if no currency has it.
  public init?(ledgerNumber: UInt8) {
    let numbers = UnsafeBufferPointer(start: CurrencyTable.ledgerNumbers.utf8Start, count: Currency.count)
    guard let index = numbers.firstIndex(of: ledgerNumber) else { return nil }
    self.init(unchecked: UInt8(index))
  }

  /// The English name.
  public var name: String { CurrencyTable.names[Int(index)] }

  /// The decimals of the currency by ISO 4217.
  @inlinable public var minorUnitExponent: Int { Int(CurrencyTable.minorUnitExponents.utf8Start[Int(index)]) }

  /// The decimals that the settlement takes and rounds to.
  ///
  /// They are ISO 4217's except the forint and the Taiwan dollar, which have two there and none here.
  @inlinable public var settlementExponent: Int { Int(CurrencyTable.settlementExponents.utf8Start[Int(index)]) }
}

extension Currency {
  /// The currency whose code these bytes are, exactly and in capital letters.
  ///
  /// Takes the same few steps for every currency: the code picks a slot of a perfect hash, and the one currency that
  /// can stand there either has that code or the code is unknown.
  @inlinable public static func find(_ bytes: UnsafePointer<UInt8>, count: Int) -> Currency? {
    guard count == 3 else { return nil }
    let packed = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
    let slot = Int((packed &* CurrencyTable.slotMultiplier) &>> CurrencyTable.slotShift)
    let found = Currency(unchecked: CurrencyTable.slots.utf8Start[slot])
    return found.codeBytes == (bytes[0], bytes[1], bytes[2]) ? found : nil
  }

  /// The currency whose code these bytes are, exactly and in capital letters.
  @inlinable public static func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Currency? {
    guard let first = bytes.baseAddress else { return nil }
    return find(first, count: bytes.count)
  }
}
