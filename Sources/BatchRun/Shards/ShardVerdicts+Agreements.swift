import ExactArithmetic
import Records
import Reports
import Rules
import Text

/// Level 1: claims on agreements.
extension ShardVerdicts {
  /// Judges the claims on each agreement in batch order; writes how each stands afterwards, by key.
  func judgeAgreements(_ earlier: EarlierSettlements?, into step: StepDirectory) throws(RunFailure) {
    let (reports, entries) = (try step.makeFile("preapprovals.csv"), try step.makeFile("agreements.csv"))
    var claims = try mergeClaims()
    var register = AgreementRegister(earlier: earlier)
    var key: [UInt8] = []
    var text = TextBuffer()
    func finishKey() throws(RunFailure) {
      for named in register.reported {
        guard let agreement = named.agreement else { continue }
        text.removeAll()
        PreapprovalsReport.append(agreement, key: named.key, to: &text)
        try reports.write(text.bytes, count: text.count)
        text.removeAll()
        if work.plan.ledger != nil { AgreementRow.append(named.entry, to: &text) }
        try entries.write(text.bytes, count: text.count)
      }
      register = AgreementRegister(earlier: earlier)
    }
    while let (row, _) = claims.first {
      if !row.key.elementsEqual(key) {
        try finishKey()
        key = Array(row.key)
      }
      guard let claim = ClaimRow(row.fields.dropFirst()) else { throw .inputOutput("\(work.shown): a claim is no row") }
      var reader = ByteReader(claim.content[...], name: work.shown)
      let refusals = try register.take(try reader.laterClaim())
      if !refusals.isEmpty {
        try append(claim.shard) { text in
          text.append("\(claim.offset),\(claim.line),")
          text.append(RefusalText.text(refusals))
        }
      }
      try claims.advance()
    }
    try finishKey()
    step.finish(reports, name: "preapprovals.csv")
    step.finish(entries, name: "agreements.csv")
  }
}

/// Refusals of claims on agreements as a field: the codes, each with the figures that its message shows.
enum RefusalText {
  static func text(_ refusals: [ClaimRefusal]) -> String {
    refusals.map { refusal in
      "\(refusal.reason.code)" + (refusal.figures.map { ":\($0.found):\($0.expected)" } ?? "")
    }.joined(separator: " ")
  }

  /// The refusals of a claim of a record of a type; nil if the text is malformed.
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
