import Input
import Money
import Records

/// Which profile a payment names in place of its receivers.
enum NamedProfile {
  /// None, or one beside receivers of its own.
  case none
  /// One that is not among the profiles, or not of the payment's currency.
  case unknown
  /// One whose receivers stand in the record now.
  case known
}

/// Payments whose receivers stand in a profile (`splits.md`, "Profiles").
extension Judgement {
  /// Puts a profile's receivers into the record that names it, and scans that.
  ///
  /// Few payments name one. Reading them twice spares every other rule a second kind of receivers.
  @inline(never)
  mutating func takeProfile(count: Int) {
    guard scanner.field(.receiverPaymentDetails).isAbsent, scanner.receiverField(.recipient, row: 0).isAbsent,
      scanner.receiverField(.subtotal, row: 0).isAbsent
    else { return }
    profile = .unknown
    let slice = scanner.field(.splitProfile)
    guard slice.kind == .string else { return }
    let (name, length) = text(slice)
    guard let named = rules.profiles.find(name, count: length) else { return }
    if let required = named.currency, let currency = readCurrency(), currency != required { return }
    profile = .known
    // The profile's receivers stand first, so that no null takes their place.
    var start = 0
    while line[start] != UInt8(ascii: "{") { start += 1 }
    profileLine.removeAll(keeping: 1 << 16)
    profileLine.append("{\"receiverPaymentDetails\":")
    profileLine.append(named.receivers, count: named.receivers.count)
    profileLine.append(",")
    profileLine.append(line + start + 1, count: count - start - 1)
    let whole = profileLine.count
    // What the scanner asks for after a line.
    profileLine.append("\n               ")
    reserveScratch(for: whole)
    line = UnsafePointer(profileLine.bytes)
    form = scanner.scan(line, count: whole)
  }

  /// The payment's currency, nil if it is not valid; nothing is reported.
  private mutating func readCurrency() -> Currency? {
    let slice = scanner.field(.paymentCurrency)
    if slice.isAbsent { return .usd }
    guard slice.kind == .string else { return nil }
    let (bytes, count) = text(slice)
    return Currency.find(bytes, count: count)
  }

  /// A payment whose profile is not known: nothing is known of its receivers.
  mutating func refuseProfile() {
    let slice = scanner.field(.splitProfile)
    reject(slice.kind == .string ? .invalidValue : .wrongType, at: .top(.splitProfile), evidence: slice)
    tally.pointee.areTold = false
    tally.pointee.allGrossValid = false
    tally.pointee.allTypesValid = false
    beginSplit(isProfile: true)
  }
}
