import Money
import Rules

extension FeeSchedule {
  /// The built-in fee schedule, except that refunds return fees.
  public static let returning: FeeSchedule = {
    let json = Array(#"{"refunds":"RETURN","#.utf8) + PublishedFees.json.drop { $0 != UInt8(ascii: "{") }.dropFirst()
    guard let schedule = try? FeeSchedule(json: json) else { preconditionFailure("the built-in schedule is broken") }
    return schedule
  }()
}
