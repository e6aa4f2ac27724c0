import Documents
import Failures
import Ledger

extension ReturnNote: ListedNote {
  static let noun = "return"
  static let report = PayoutReport.returned
  static let columns: [ChangeColumn] = [.key, .reason, .account, .currency, .amount]
  static let bookedFault = InputFault.Code.alreadyReturned

  var title: String { "\(Self.noun) of \(reference)" }

  init(key: PaymentReference, reason: String) { self.init(reference: key, reason: reason) }

  static func key(_ field: Span<UInt8>) -> PaymentReference? { PaymentReference(field) }
  static func bytes(of key: PaymentReference) -> [UInt8] { key.bytes }

  static func find(
    _ key: [UInt8], _ lookup: PayoutLookup, before payout: PayoutEntry?
  ) throws(Failure) -> FoundKey {
    let reference = PaymentReference(bytes: key[...])
    guard lookup.isPaid(reference, before: payout), let payment = try lookup.payment(reference) else {
      return .fault(.unknownReference)
    }
    return .amount(payment)
  }

  static func change(_ file: ReturnedFile, _ row: Int, _ amount: AccountAmount?) -> Change<ReturnNote> {
    let reason = String(decoding: file.rows.bytes(1, of: row), as: UTF8.self)
    return Change(ReturnNote(key: PaymentReference(bytes: file.rows.bytes(0, of: row)[...]), reason: reason), amount!)
  }
}
