import Foundation
import Rules

/// Fees with names, for the stages that charge and write them.
enum NamedFees {
  /// The published schedule, but with three named fees instead of the percentage of its default plan.
  static func rules() throws -> SettlementRules {
    var root = try object(JSONSerialization.jsonObject(with: Data(FeeSchedule.published.text)))
    let (standard, fixed) = (try text(root["default"]), try object(root["fixed"]))
    let (fees, amounts) = (
      """
      [{"name": "commission", "rate": "0.12", "base": "ITEMS", "min": "least", "vat": "0.19", "refunds": "RETURN"},
       {"name": "processing", "rate": "0.029", "fixed": "standard", "vat": "0.19"},
       {"name": "listing", "fixed": "standard"}]
      """, try object(fixed["standard"])
    )
    var plans = try object(root["plans"])
    plans[standard] = ["fees": try JSONSerialization.jsonObject(with: Data(fees.utf8))]
    root["plans"] = plans
    root["fixed"] = fixed.merging(["least": amounts]) { $1 }
    return SettlementRules(schedule: try FeeSchedule(json: Array(JSONSerialization.data(withJSONObject: root))))
  }

  private static func object(_ value: Any?) throws -> [String: Any] {
    guard let object = value as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
    return object
  }

  private static func text(_ value: Any?) throws -> String {
    guard let text = value as? String else { throw CocoaError(.propertyListReadCorrupt) }
    return text
  }
}
