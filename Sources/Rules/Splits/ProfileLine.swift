import Input
import Money
import Records
import Text

/// Which profile a payment names in place of its receivers.
enum NamedProfile {
  /// None, or one beside receivers of its own.
  case none
  /// One that is not among the profiles, or not of the payment's currency.
  case unknown
  /// One whose receivers stand in the record now.
  case known
}

/// The line of a payment that names a profile, with the profile's receivers in it (`splits.md`, "Profiles").
struct ProfileLine: ~Copyable {
  private var text = TextBuffer()

  /// Puts a profile's receivers into the record that names it, and scans that.
  ///
  /// Few payments name one. Reading them twice spares every other rule a second kind of receivers.
  /// - Returns: the form of the line that is scanned.
  @inline(never)
  mutating func take(_ profiles: SplitProfiles, into record: inout RecordReader, count: Int) -> RecordForm {
    guard record.top(.receiverPaymentDetails).isAbsent, !record.isSingle else { return .object }
    record.profile = .unknown
    let value = record.top(.splitProfile)
    guard value.kind == .string else { return .object }
    guard let named = profiles.find(record.text(value.slice).buffer) else { return .object }
    if let required = named.currency, let currency = Self.currency(of: &record), currency != required { return .object }
    record.profile = .known
    // The profile's receivers stand first, so that no null takes their place.
    var start = 0
    while record.line[start] != UInt8(ascii: "{") { start += 1 }
    text.removeAll(keeping: 1 << 16)
    text.append("{\"receiverPaymentDetails\":")
    text.append(named.receivers, count: named.receivers.count)
    text.append(",")
    text.append(record.line + start + 1, count: count - start - 1)
    let whole = text.count
    // What the scanner asks for after a line.
    text.append("\n               ")
    return record.scan(UnsafePointer(text.bytes), count: whole)
  }

  /// The payment's currency, nil if it is not valid; nothing is reported.
  private static func currency(of record: inout RecordReader) -> Currency? {
    let value = record.top(.paymentCurrency)
    if value.isAbsent { return .usd }
    guard value.kind == .string else { return nil }
    let code = record.text(value.slice)
    return Currency.find(code.bytes, count: code.count)
  }
}
