import BasicContainers
import ExactArithmetic
import Money
import Records

/// The named fees of a schedule, compiled for each plan and currency when a payment first needs them: the fees of a
/// name that fit the currency, in their order, in machine words.
struct NamedPrices: ~Copyable {
  /// A fee in a currency.
  struct Price {
    /// The index of the fee among the plan's.
    let fee: Int
    /// The index of its name in the schedule's.
    let name: Int
    let isReturned: Bool
    let leavesOutTax, leavesOutShipping: Bool
    /// Whether the figures below are the fee's. If they do not fit in words, the fee is computed in decimals.
    let fitsWords: Bool
    /// The rates within a country and across borders, at this exponent.
    let rate, crossBorderRate: UInt64
    let rateExponent: Int
    /// The fixed fee, at the exponent of the product of a rate and an amount.
    let fixed: UInt64
    /// The bounds in minor units, rounded: rounding keeps the order of amounts, so it may come before the comparison.
    let minimum, maximum: Int
    let vat: UInt64
    let vatExponent: Int
    /// A bit for each `FundingSource.number` that fits.
    let fundingSources: UInt8
    /// Where the bits of the countries and categories that fit begin in `sets`; -1 if all do.
    let countries, categories: Int
  }

  /// The fees of a name; empty if none fits the currency.
  struct Group {
    let first, end: Int
  }

  private(set) var prices = UniqueArray<Price>()
  private(set) var groups = UniqueArray<Group>()
  private var sets = UniqueArray<UInt64>()
  /// The range of groups of a plan in a currency; empty until it is compiled.
  private var places: [Range<Int>]

  private static let wordsOfCountries = (Country.count + 63) / 64

  init(_ schedule: FeeSchedule) {
    places = Array(repeating: 0..<0, count: schedule.hasNames ? schedule.plans.count * Currency.count : 0)
  }

  /// The groups of a plan in a currency, in the order in which the plan's names come first.
  @inline(__always)
  mutating func groups(of plan: Int, _ currency: Currency, _ schedule: borrowing FeeSchedule) -> Range<Int> {
    let place = plan &* Currency.count &+ Int(currency.index)
    if places[place].isEmpty { compile(plan, currency, schedule, into: place) }
    return places[place]
  }

  /// The index of the first price of a group that fits a receiver; nil if none does.
  @inline(__always)
  func fitting(_ group: Int, country: Country?, category: Int, _ source: FundingSource) -> Int? {
    for place in groups[group].first..<groups[group].end
    where prices[place].fundingSources &>> source.number & 1 == 1
      && (prices[place].countries < 0 || country.map { has(Int($0.index), prices[place].countries) } ?? false)
      && (prices[place].categories < 0 || category >= 0 && has(category, prices[place].categories))
    {
      return place
    }
    return nil
  }

  @inline(__always)
  private func has(_ bit: Int, _ set: Int) -> Bool { sets[set &+ bit &>> 6] &>> UInt64(bit & 63) & 1 == 1 }

  // MARK: Compiling

  @inline(never)
  private mutating func compile(_ plan: Int, _ currency: Currency, _ schedule: borrowing FeeSchedule, into place: Int) {
    let fees = schedule.plans[plan].fees
    let first = groups.count
    var seen: Set<Int> = []
    for fee in fees where seen.insert(fee.name).inserted {
      let start = prices.count
      for other in fees.indices where fees[other].name == fee.name && fees[other].fits(currency) {
        let price = price(fees[other], other, currency, schedule)
        prices.append(price)
      }
      groups.append(Group(first: start, end: prices.count))
    }
    places[place] = first..<groups.count
  }

  private mutating func price(
    _ fee: NamedFee, _ place: Int, _ currency: Currency, _ schedule: borrowing FeeSchedule
  ) -> Price {
    let exponent = -currency.settlementExponent
    func amount(_ table: FeeTable?) -> ExactDecimal? { table.flatMap { $0.amounts[Int(currency.index)] } }
    func bound(_ table: FeeTable?, orElse none: Int) -> Int? {
      guard let amount = amount(table) else { return none }
      let rounded = amount.quantized(to: exponent, rounding: schedule.rounding)
      return MinorUnits.represent(rounded, exponent: exponent) ? Int(rounded._magnitude) : nil
    }
    let fixed = amount(fee.fixed) ?? .zero
    // A decimal more than the currency has, so that there is something to round.
    let rateExponent = min(fee.rate.exponent, fee.crossBorderRate.exponent, fixed.exponent - exponent, -1)
    let vatExponent = min(fee.vat.exponent, -1)
    let words = [
      Self.word(fee.rate, rateExponent), Self.word(fee.crossBorderRate, rateExponent),
      Self.word(fixed, rateExponent + exponent), Self.word(fee.vat, vatExponent),
    ]
    let (minimum, maximum) = (bound(fee.minimum, orElse: 0), bound(fee.maximum, orElse: .max))
    return Price(
      fee: place, name: fee.name, isReturned: fee.isReturned, leavesOutTax: fee.base.leavesOutTax,
      leavesOutShipping: fee.base.leavesOutShipping,
      fitsWords: !words.contains(nil) && minimum != nil && maximum != nil, rate: words[0] ?? 0,
      crossBorderRate: words[1] ?? 0, rateExponent: rateExponent, fixed: words[2] ?? 0, minimum: minimum ?? 0,
      maximum: maximum ?? 0, vat: words[3] ?? 0, vatExponent: vatExponent,
      fundingSources: fee.fundingSources.map { $0.reduce(0) { $0 | 1 << $1.number } } ?? .max,
      countries: add(fee.countries?.map { Int($0.index) }, words: Self.wordsOfCountries),
      categories: add(fee.categories, words: (schedule.categories.entries.count + 63) / 64))
  }

  /// The coefficient of a decimal at an exponent; nil if it does not fit in a word.
  private static func word(_ decimal: ExactDecimal, _ exponent: Int) -> UInt64? {
    decimal.exact(at: exponent)?.inlineMagnitude
  }

  /// Adds a set of bits; returns where it begins, or -1 for no set.
  private mutating func add(_ bits: [Int]?, words: Int) -> Int {
    guard let bits else { return -1 }
    let start = sets.count
    for _ in 0..<words { sets.append(0) }
    for bit in bits { sets[start + bit / 64] |= 1 << UInt64(bit % 64) }
    return start
  }
}
