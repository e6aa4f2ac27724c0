import Input
import Money
import Text

/// The profile that a payment names instead of listing its receivers.
enum NamedProfile {
  /// None, or one in addition to receivers of its own.
  case none
  /// A profile that does not exist, or is for another currency than the payment's.
  case unknown
  /// A profile whose receivers were added to the record.
  case known
}

/// The line of a payment that names a profile, with the profile's receivers added (`splits.md`, "Profiles").
struct ProfileLine: ~Copyable {
  private var text = TextBuffer()

  /// Adds a profile's receivers to the record that names it, and scans the result.
  ///
  /// Few payments name a profile. Reading those twice means that no other rule has to know about profiles.
  /// - Returns: the form of the line that is scanned.
  @inline(never)
  mutating func expand(_ profiles: SplitProfiles, into record: inout RecordReader) -> RecordForm {
    guard record.top(.receiverPaymentDetails).isAbsent, !record.isSingle else { return .object }
    record.profile = .unknown
    let value = record.top(.splitProfile)
    guard value.kind == .string else { return .object }
    let name = record.text(value.slice)
    guard let named = profiles.find(record[name]) else { return .object }
    if let required = named.currency, let currency = Self.currency(of: &record), currency != required { return .object }
    record.profile = .known
    // The profile's receivers come first, so that a null in the record does not replace them.
    let start = record.scanner.line.place(of: UInt8(ascii: "{"))!
    text.removeAll(keeping: 1 << 16)
    text.append("{\"receiverPaymentDetails\":")
    text.append(named.receivers)
    text.append(",")
    text.append(record.scanner.line.extracting(droppingFirst: start + 1))
    return record.scan(text.span, .copied)
  }

  /// The payment's currency; nil if it is not valid. Nothing is reported.
  private static func currency(of record: inout RecordReader) -> Currency? {
    let value = record.top(.paymentCurrency)
    if value.isAbsent { return .usd }
    guard value.kind == .string else { return nil }
    let code = record.text(value.slice)
    return Currency.find(record[code])
  }
}
