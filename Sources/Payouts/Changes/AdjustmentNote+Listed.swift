import Documents
import Failures
import Ledger

extension AdjustmentNote: ListedNote {
  static let noun = "adjustment"
  static let report = PayoutReport.adjusted
  static let columns: [ChangeColumn] = [.key, .account, .currency, .amount, .reason]
  static let bookedFault = InputFault.Code.alreadyAdjusted

  var title: String { "\(Self.noun) \(key)" }

  init(key: String, reason: String) { self.init(key: key, reason: reason, listedKey: nil) }

  static func key(_ field: Span<UInt8>) -> String? { ListedWord.isValid(field) ? String(decoding: field) : nil }
  static func bytes(of key: String) -> [UInt8] { Array(key.utf8) }

  static func find(
    _ key: [UInt8], _ lookup: PayoutLookup, before payout: PayoutEntry?
  ) throws(Failure) -> FoundKey {
    .inRow
  }

  static func change(_ file: AdjustmentFile, _ row: Int, _ amount: AccountAmount?) -> Change<AdjustmentNote> {
    file.change(row)
  }
}
