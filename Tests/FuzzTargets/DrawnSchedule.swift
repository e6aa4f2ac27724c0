import Money
import Rules
import TestSupport

/// A fee schedule with named fees, drawn from a number (`fees.md`).
struct DrawnSchedule {
  private var random: SeededGenerator
  private var tables: [String] = []

  private static let arrays = [
    ("categories", ["books", "art.1"]), ("countries", ["DE", "FR", "US"]), ("currencies", ["EUR", "JPY", "USD"]),
    ("fundingSources", ["BALANCE", "BANK", "CARD"]),
  ]

  /// Reads the schedule that is drawn from a number; every one is valid.
  static func schedule(_ seed: UInt64) throws(FeeScheduleError) -> FeeSchedule {
    var drawn = DrawnSchedule(random: SeededGenerator(seed: seed))
    return try FeeSchedule(json: Array(drawn.json().utf8))
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func any<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

  private mutating func json() -> String {
    let entries = ["commission", "processing", "listing"].flatMap { self.entries($0) }.joined(separator: ",")
    let rounding = any(["HALF_UP", "HALF_DOWN", "HALF_EVEN", "UP", "DOWN", "CEILING", "FLOOR"])
    let refunds = any(["KEEP", "RETURN"])
    return """
      {"rounding":"\(rounding)","refunds":"\(refunds)","crossBorder":"0.01","plans":{"market":{"fees":[\(entries)]},\
      "old":{"rate":"0.029"}},"default":"market","personal":{"BALANCE":"old","BANK":"market","CARD":"old"},\
      "subTypes":{},"accounts":{"old@shop.example":"old"},"fixed":{\(tables.joined(separator: ","))}}
      """
  }

  /// Entries of a name: those that do not fit everything come first.
  private mutating func entries(_ name: String) -> [String] {
    var entries: [String] = []
    for number in 0...Int.random(in: 0...2, using: &random) {
      var fields = [#""name":"\#(name)""#, #""rate":"\#(any(["0", "0.029", "0.12", "0.5", "1"]))""#]
      if chance(40) { fields.append(#""base":"\#(any(["WITHOUT_TAX", "WITHOUT_SHIPPING", "ITEMS"]))""#) }
      if chance(50) { fields.append(#""vat":"\#(any(["0.19", "0.07", "1"]))""#) }
      if chance(40) { fields.append(#""refunds":"\#(any(["KEEP", "RETURN"]))""#) }
      if chance(30) { fields.append(#""crossBorder":true"#) }
      for (key, amounts) in [("fixed", ["0.35", "0.005"]), ("min", ["0.01", "1"]), ("max", ["2.50", "40"])]
      where chance(30) {
        let table = "\(key)-\(tables.count)"
        let given = Currency.all.filter { _ in chance(80) }.map { #""\#($0.code)":"\#(any(amounts))""# }
        tables.append(#""\#(table)":{\#(given.joined(separator: ","))}"#)
        fields.append(#""\#(key)":"\#(table)""#)
      }
      // The last one may fit everything.
      let (key, values) = any(Self.arrays)
      if number == 0 || chance(50) {
        fields.append(
          #""\#(key)":["\#(values.prefix(Int.random(in: 1...values.count, using: &random)).joined(separator: #"",""#))"]"#
        )
        entries.insert("{\(fields.joined(separator: ","))}", at: 0)
      } else {
        entries.append("{\(fields.joined(separator: ","))}")
        break
      }
    }
    return entries
  }
}
