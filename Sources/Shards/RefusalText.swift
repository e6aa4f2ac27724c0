import ExactArithmetic
import Records
import Rules

/// Refusals of claims on agreements, as a field: the codes, each with the figures in its message.
enum RefusalText {
  static func text(_ refusals: [ClaimRefusal]) -> String {
    refusals.map { refusal in
      "\(refusal.reason.code)" + (refusal.figures.map { ":\($0.found):\($0.expected)" } ?? "")
    }.joined(separator: " ")
  }

  /// The refusals of a claim by a record of this type; nil if the text is malformed.
  static func refusals(_ text: String, of type: RecordType) -> [ClaimRefusal]? {
    var refusals: [ClaimRefusal] = []
    for part in text.split(separator: " ") {
      let fields = part.split(separator: ":").map { String($0) }
      guard let reason = RejectionReason.allCases.first(where: { "\($0.code)" == fields[0] }) else { return nil }
      let found = fields.count == 3 ? ExactDecimal(fields[1]) : nil
      let expected = fields.count == 3 ? ExactDecimal(fields[2]) : nil
      refusals.append(
        ClaimRefusal(reason, of: type, figures: found.flatMap { found in expected.map { (found, $0) } }))
    }
    return refusals.isEmpty ? nil : refusals
  }
}
