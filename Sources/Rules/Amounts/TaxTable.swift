import ExactArithmetic
import Money
import Records

/// A rate of tax: what part of a price is due at the addresses that it fits.
public struct TaxRate: Sendable {
  /// The country.
  public let country: Country
  /// The state, ASCII letters in lower case; empty if it is for all states.
  public let state: [UInt8]
  /// The beginning of postal codes, ASCII letters in lower case, without spaces and hyphens; empty if it is for all.
  public let postal: [UInt8]
  /// The percentage, from 0 to 100.
  public let percent: ExactDecimal
  /// The part that it is.
  let fraction: ExactDecimal
  /// Whether shipping is taxed, too.
  public let taxesShipping: Bool
}

/// What taxes are held against: rates by address, the file of `--taxes` (`amounts.md`, "Tax rates").
///
/// A class, so that rules without one are no larger to copy.
public final class TaxTable: Sendable {
  /// The text it was read from: a ledger tells runs apart by its SHA-256.
  public let text: [UInt8]
  /// How a tax is rounded to the currency's decimals.
  public let rounding: RoundingMode
  /// What is paid without tax.
  public let exempt: [PaymentType]
  /// The rates, in the order of the file.
  public let rates: [TaxRate]
  /// Places in `rates` by the hash of what a rate is for, in the next free slot where that is taken; -1 in a free one.
  private let slots: [Int32]
  /// The length of the longest `postal`.
  private let longestPostal: Int

  /// A table of rates; hands out the place of each that is for the same addresses as an earlier one.
  init(
    text: [UInt8], rounding: RoundingMode, exempt: [PaymentType], rates: [TaxRate],
    repeated: (_ place: Int) throws(FeeScheduleError) -> Void
  ) throws(FeeScheduleError) {
    self.text = text
    self.rounding = rounding
    self.exempt = exempt
    self.rates = rates
    longestPostal = rates.map(\.postal.count).max() ?? 0
    var size = 2
    while size < 2 * rates.count { size *= 2 }
    var slots = Array(repeating: Int32(-1), count: size)
    for (place, rate) in rates.enumerated() {
      let slot = rate.state.withUnsafeBufferPointer { state in
        rate.postal.withUnsafeBufferPointer { postal in
          var hash = Hash(rate.country, state)
          for byte in postal { hash.add(byte) }
          return Self.slot(of: hash, rate.country, state, postal, in: slots, rates)
        }
      }
      if slots[slot] >= 0 { try repeated(place) }
      slots[slot] = Int32(place)
    }
    self.slots = slots
  }

  /// The place in `rates` of the rate that counts at an address: the one with the longest `postal` of those that fit,
  /// then one with a state before one without. Nil if none fits.
  ///
  /// - Parameters:
  ///   - state: as it is compared (`comparedState`); empty if the address has none.
  ///   - postal: likewise (`comparedPostal`).
  func place(country: Country, state: UnsafeBufferPointer<UInt8>, postal: UnsafeBufferPointer<UInt8>) -> Int? {
    let nowhere = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var (inState, anywhere) = (Hash(country, state), Hash(country, nowhere))
    var best: Int32 = -1
    for length in 0...min(postal.count, longestPostal) {
      if length > 0 {
        inState.add(postal[length - 1])
        anywhere.add(postal[length - 1])
      }
      let beginning = UnsafeBufferPointer(rebasing: postal[..<length])
      var found = slots[Self.slot(of: inState, country, state, beginning, in: slots, rates)]
      if found < 0 { found = slots[Self.slot(of: anywhere, country, nowhere, beginning, in: slots, rates)] }
      if found >= 0 { best = found }
    }
    return best < 0 ? nil : Int(best)
  }

  /// The slot of the rate for just these addresses, or the free one where it would stand.
  private static func slot(
    of hash: Hash, _ country: Country, _ state: UnsafeBufferPointer<UInt8>, _ postal: UnsafeBufferPointer<UInt8>,
    in slots: [Int32], _ rates: [TaxRate]
  ) -> Int {
    var slot = Int(truncatingIfNeeded: hash.value) & (slots.count - 1)
    while slots[slot] >= 0 {
      let rate = rates[Int(slots[slot])]
      if rate.country == country, rate.state.elementsEqual(state), rate.postal.elementsEqual(postal) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// FNV-1a, which goes on from any beginning of a postal code: the table is the operator's own and not hostile.
  private struct Hash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ country: Country, _ state: UnsafeBufferPointer<UInt8>) {
      add(country.index)
      for byte in state { add(byte) }
      add(0)
    }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  // MARK: As compared

  /// Puts a state in place as it is compared: ASCII letters in lower case.
  static func compareState(_ text: UnsafeMutableBufferPointer<UInt8>) {
    for place in text.indices where text[place] &- UInt8(ascii: "A") < 26 { text[place] |= 0x20 }
  }

  /// Puts a postal code in place as it is compared: likewise, without spaces and hyphens.
  ///
  /// - Returns: its length then.
  static func comparePostal(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    compareState(text)
    var length = 0
    for byte in text where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
      text[length] = byte
      length += 1
    }
    return length
  }
}
