import Claims
import Digests
import ExactArithmetic
import Failures
import Money
import Text

/// Reads values that a `ByteWriter` wrote; throws if they are cut off or damaged.
package struct ByteReader {
  /// The largest number, so that sums of several cannot overflow.
  static let largestNumber = (1 << 56) - 1

  private var rest: ArraySlice<UInt8>
  private let name: String

  /// - Parameters:
  ///   - bytes: what a writer wrote.
  ///   - name: their name for messages.
  package init(_ bytes: ArraySlice<UInt8>, name: String) {
    self.name = name
    rest = bytes
  }

  /// The XXH3-64 of bytes.
  package static func digest(_ bytes: ArraySlice<UInt8>) -> UInt64 { XXH3.checksum(of: bytes.span) }

  package func damage(_ why: String) -> Failure { .inputOutput("\(name): \(why)") }

  package mutating func byte() throws(Failure) -> UInt8 {
    guard let byte = rest.popFirst() else { throw damage("it ends too early") }
    return byte
  }

  package mutating func flag() throws(Failure) -> Bool { try byte() != 0 }

  package mutating func number() throws(Failure) -> Int {
    guard let value = try Varint.read({ () throws(Failure) in try byte() }), value <= Self.largestNumber else {
      throw damage("a number is too large")
    }
    return Int(value)
  }

  package mutating func fingerprint() throws(Failure) -> Fingerprint {
    let bytes = try next(Fingerprint.length)
    return Fingerprint(bytes.span, at: 0)
  }

  package mutating func text() throws(Failure) -> ArraySlice<UInt8> { try next(number()) }

  private mutating func next(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw damage("it ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  package mutating func string() throws(Failure) -> String { String(decoding: try text(), as: UTF8.self) }

  /// A sum in a currency, with exactly the currency's decimals.
  package mutating func decimal(_ currency: Currency) throws(Failure) -> ExactDecimal {
    guard let decimal = ExactDecimal(try string()), decimal.exponent == -currency.settlementExponent else {
      throw damage("a sum is not a valid amount of its currency")
    }
    return decimal
  }

  package mutating func currency() throws(Failure) -> Currency {
    guard let currency = Currency(code: try string()) else { throw damage("it names an unknown currency") }
    return currency
  }
}
