import Records

/// Payments under an agreement.
extension Judgement {
  /// Checks what a payment says about its agreement, after its other fields at the top level.
  mutating func checkAgreement() {
    let pin = record.top(.pinVerified)
    if !pin.isAbsent, pin.kind != .yes, pin.kind != .no { record.reject(.wrongType, pin) }
    guard !record.top(.preapprovalKey).isAbsent, let key = record.key(record.top(.preapprovalKey)) else { return }
    places.preapprovalKey = key
    if record.top(.sender).isAbsent { record.reject(.senderRequired, at: .top(.sender)) }
    if record.top(.createdAt).isAbsent { record.reject(.missingField, at: .top(.createdAt)) }
  }

  /// What a payment without errors needs from the agreement that it names; nil if it names none.
  public func agreementPayment() -> AgreementPayment? {
    guard recordType == .payment, preapprovalKey.count > 0, findings.isEmpty else { return nil }
    let day = record.withCharacters(of: record.top(.createdAt).slice) {
      CalendarDay(second: Timestamp.seconds($0))
    }
    return AgreementPayment(
      day: day, sender: Array(sender), currency: currency!, amount: senderAmount + senderFees,
      feePayer: feePayer!, isPINVerified: record.top(.pinVerified).kind == .yes, isSettled: outcome == .settled)
  }
}
