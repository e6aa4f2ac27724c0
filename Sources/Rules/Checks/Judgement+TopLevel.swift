import Input
import Money
import Records

/// The fields that both shapes have.
extension Judgement {
  mutating func checkTopLevel() {
    checkCurrency()
    if let key = key(scanner.field(.payKey), at: .top(.payKey)) { payKey = key }
    status = value(scanner.field(.status), at: .top(.status), whenAbsent: .completed)
    feePayer = value(scanner.field(.feePayer), at: .top(.feePayer), whenAbsent: .eachReceiver)
    let hasCard = !scanner.field(.card).isAbsent
    fundingSource = value(
      scanner.field(.fundingSource), at: .top(.fundingSource), whenAbsent: hasCard ? .card : .balance)
    if let account = account(scanner.field(.sender), at: .top(.sender)) { sender = account }
    senderCountry = country(scanner.field(.senderCountry), at: .top(.senderCountry))
    let createdAt = time(scanner.field(.createdAt), at: .top(.createdAt))
    if hasCard { checkCard(createdAt: createdAt) }
    if !scanner.field(.shippingAddress).isAbsent || !scanner.field(.amountErrorCode).isAbsent { checkAddress() }
    checkText(scanner.field(.memo), at: .top(.memo), maximum: 1000)
    checkURL(scanner.field(.ipnUrl), at: .top(.ipnUrl))
    if !scanner.field(.preapprovalKey).isAbsent || !scanner.field(.pinVerified).isAbsent { checkAgreement() }
  }

  /// A required key of a payment, a refund or an agreement; nil if it is not valid.
  @inline(__always)
  mutating func key(_ slice: JSONSlice, at path: FieldPath) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    spelled(slice, at: path, isRequired: true) { PayKey.isValid($0, count: $1) ? ($0, $1) : nil }
  }

  /// When something happened, as it is written; nil if it is absent or not valid.
  @inline(__always) @discardableResult
  mutating func time(_ slice: JSONSlice, at path: FieldPath) -> UnsafePointer<UInt8>? {
    spelled(slice, at: path) { Timestamp.isValid($0, count: $1) ? $0 : nil }
  }

  /// When something happened, which must be said, in seconds from the beginning of 1970-01-01; nil if it is not valid.
  mutating func requiredTime(_ slice: JSONSlice, at path: FieldPath) -> Int? {
    spelled(slice, at: path, isRequired: true) {
      Timestamp.isValid($0, count: $1) ? Timestamp.seconds($0, count: $1) : nil
    }
  }

  /// Where notifications go.
  @inline(__always)
  mutating func checkURL(_ slice: JSONSlice, at path: FieldPath) {
    if let (bytes, count) = string(slice, at: path), !NotificationURL.isValid(bytes, count: count) {
      reject(.invalidValue, at: path, evidence: slice)
    }
  }

  /// A currency that must be given; nil if it is not valid.
  @inline(__always)
  mutating func requiredCurrency(_ slice: JSONSlice, at path: FieldPath) -> Currency? {
    spelled(slice, at: path, isRequired: true, orElse: .currencyNotSupported) { Currency.find($0, count: $1) }
  }

  private mutating func checkCurrency() {
    let tally = tally
    let slice = scanner.field(.paymentCurrency)
    currency = slice.isAbsent ? .usd : requiredCurrency(slice, at: .top(.paymentCurrency))
    if let currency { tally.pointee.gross.set(.zero(at: -currency.settlementExponent)) }
  }

  /// `CURRENCY_IN_COUNTRY_ONLY`: reported once, whoever is elsewhere.
  mutating func checkCountries() {
    if tally.pointee.hasForeignCountry { reject(.currencyInCountryOnly, at: .top(.paymentCurrency)) }
  }
}
