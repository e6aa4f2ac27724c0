import ExactArithmetic
import Input
import Records

/// Payments under an agreement.
extension Judgement {
  /// Checks what a payment says of its agreement, once its other fields at the top level are.
  mutating func checkAgreement() {
    let pin = scanner.field(.pinVerified)
    if !pin.isAbsent, pin.kind != .yes, pin.kind != .no {
      reject(.wrongType, at: .top(.pinVerified), evidence: pin)
    }
    guard !scanner.field(.preapprovalKey).isAbsent,
      let key = key(scanner.field(.preapprovalKey), at: .top(.preapprovalKey))
    else { return }
    preapprovalKey = key
    if scanner.field(.sender).isAbsent { reject(.senderRequired, at: .top(.sender)) }
    if scanner.field(.createdAt).isAbsent { reject(.missingField, at: .top(.createdAt)) }
  }

  /// What a payment without errors asks of the agreement that it names; nil if it names none.
  public func agreementPayment() -> AgreementPayment? {
    guard recordType == .payment, preapprovalKey.count > 0, findings.isEmpty else { return nil }
    let day = withCharacters(of: scanner.field(.createdAt)) {
      CalendarDay(second: Timestamp.seconds($0.baseAddress!, count: $0.count))
    }
    return AgreementPayment(
      day: day, sender: Array(UnsafeBufferPointer(start: sender.bytes, count: sender.count)),
      currency: currency.unsafelyUnwrapped, amount: senderAmount + senderFees, feePayer: feePayer.unsafelyUnwrapped,
      isPINVerified: scanner.field(.pinVerified).kind == .yes, isSettled: outcome == .settled)
  }
}
