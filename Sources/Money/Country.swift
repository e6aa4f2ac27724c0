/// One of the countries that a party to a payment may be in.
///
/// A country is its index in the order of the two-letter codes, one byte; comparing two of them orders them by code.
@frozen public struct Country: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The index of the country in the order of the codes, from 0.
  public let index: UInt8

  @inlinable init(unchecked index: UInt8) { self.index = index }

  /// The country at an index in the order of the codes; nil beyond the last one.
  @inlinable public init?(index: Int) {
    guard index >= 0, index < Country.count else { return nil }
    self.init(unchecked: UInt8(truncatingIfNeeded: index))
  }

  /// The country with an ISO 3166-1 code of two capital letters; nil if it is not supported.
  public init?(code: String) {
    guard let found = Country.find(Array(code.utf8).span) else { return nil }
    self = found
  }

  /// All countries in the order of their codes.
  public static var all: [Country] { (0..<UInt8(count)).map(Country.init(unchecked:)) }

  /// Orders countries by their codes.
  @inlinable public static func < (left: Country, right: Country) -> Bool { left.index < right.index }
}

extension Country {
  /// The two letters of ISO 3166-1.
  public var code: String {
    let place = Int(index) * 2
    return String(
      decoding: [CountryTable.codes.bytes[place], CountryTable.codes.bytes[place + 1]], as: UTF8.self)
  }

  /// The country with exactly this code, in capital letters, or nil.
  public static func find(_ code: Span<UInt8>) -> Country? {
    guard code.count == 2 else { return nil }
    let first = code[0] &- UInt8(ascii: "A")
    let second = code[1] &- UInt8(ascii: "A")
    guard first < 26, second < 26 else { return nil }
    let found = CountryTable.cells[Int(first) * 26 + Int(second)]
    return found == CountryTable.none ? nil : Country(unchecked: found)
  }
}
