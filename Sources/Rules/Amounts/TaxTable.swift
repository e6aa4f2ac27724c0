import ExactArithmetic
import Money
import Records

/// A tax rate: the part of a price that is due at the addresses that it fits.
public struct TaxRate: Sendable {
  public let country: Country
  /// The state, ASCII letters in lower case; empty if the rate is for all states.
  public let state: [UInt8]
  /// The beginning of postal codes, ASCII letters in lower case, without spaces and hyphens; empty if it is for all.
  public let postal: [UInt8]
  /// The percentage, from 0 to 100.
  public let percent: ExactDecimal
  /// The percentage as a fraction of 1.
  let fraction: ExactDecimal
  /// Whether shipping is taxed too.
  public let taxesShipping: Bool
}

/// Rates by address, with which taxes are compared: the file of `--taxes` (`amounts.md`, "Tax rates").
///
/// A class, so that rules without a table are no larger to copy.
public final class TaxTable: Sendable {
  /// The text it was read from. A ledger stores its SHA-256 to see whether runs used the same table.
  public let text: [UInt8]
  /// How a tax is rounded to the currency's decimals.
  public let rounding: RoundingMode
  /// By how many minor units a tax may differ from the one that is due.
  public let tolerance: Int
  /// The payment types that are not taxed.
  public let exempt: [PaymentType]
  /// The rates, in the order of the file.
  public let rates: [TaxRate]
  /// Indices in `rates`, as a hash table with linear probing; -1 in a free slot.
  private let slots: [Int32]
  private let longestPostal: Int

  /// Makes a table of rates. Calls `repeated` with the index of each rate for the same addresses as an earlier one.
  init(
    text: [UInt8], rounding: RoundingMode, tolerance: Int, exempt: [PaymentType], rates: [TaxRate],
    repeated: (_ place: Int) throws(FeeScheduleError) -> Void
  ) throws(FeeScheduleError) {
    self.text = text
    self.rounding = rounding
    self.tolerance = tolerance
    self.exempt = exempt
    self.rates = rates
    longestPostal = rates.map(\.postal.count).max() ?? 0
    var size = 2
    while size < 2 * rates.count { size *= 2 }
    var slots = Array(repeating: Int32(-1), count: size)
    for (place, rate) in rates.enumerated() {
      var hash = Hash(rate.country, rate.state)
      for byte in rate.postal { hash.add(byte) }
      let slot = Self.slot(of: hash, rate.country, rate.state, rate.postal[...], in: slots, rates)
      if slots[slot] >= 0 { try repeated(place) }
      slots[slot] = Int32(place)
    }
    self.slots = slots
  }

  /// The index in `rates` of the rate for an address: of the rates that fit, the one with the longest `postal`; if
  /// several have that, one with a state comes before one without. Nil if no rate fits.
  ///
  /// - Parameters:
  ///   - state: in the form that `compareState` makes; empty if the address has none.
  ///   - postal: in the form that `comparePostal` makes; empty if the address has none.
  func place(country: Country, state: [UInt8], postal: [UInt8]) -> Int? {
    var (inState, anywhere) = (Hash(country, state), Hash(country, []))
    var best: Int32 = -1
    for length in 0...min(postal.count, longestPostal) {
      if length > 0 {
        inState.add(postal[length - 1])
        anywhere.add(postal[length - 1])
      }
      let beginning = postal[..<length]
      var found = slots[Self.slot(of: inState, country, state, beginning, in: slots, rates)]
      if found < 0 { found = slots[Self.slot(of: anywhere, country, [], beginning, in: slots, rates)] }
      if found >= 0 { best = found }
    }
    return best < 0 ? nil : Int(best)
  }

  /// The slot of the rate for exactly these addresses, or the free slot where it would go.
  private static func slot(
    of hash: Hash, _ country: Country, _ state: [UInt8], _ postal: ArraySlice<UInt8>,
    in slots: [Int32], _ rates: [TaxRate]
  ) -> Int {
    var slot = Int(truncatingIfNeeded: hash.value) & (slots.count - 1)
    while slots[slot] >= 0 {
      let rate = rates[Int(slots[slot])]
      if rate.country == country, rate.state == state, rate.postal[...] == postal { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// FNV-1a, which can continue from any beginning of a postal code. The table is the operator's own, so not hostile.
  private struct Hash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ country: Country, _ state: [UInt8]) {
      add(country.index)
      for byte in state { add(byte) }
      add(0)
    }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  // MARK: As compared

  /// Converts a state in place to the form in which states are compared: ASCII letters in lower case.
  static func compareState(_ text: inout [UInt8]) {
    for place in text.indices where text[place] &- UInt8(ascii: "A") < 26 { text[place] |= 0x20 }
  }

  /// Converts a postal code in place to the form in which they are compared: the same, without spaces and hyphens.
  static func comparePostal(_ text: inout [UInt8]) {
    compareState(&text)
    text.removeAll { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
  }
}
