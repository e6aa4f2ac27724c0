import Input
import Money
import Records

/// The fields that both shapes have.
extension RecordAssessor {
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

  /// A required key of a payment, a refund or an agreement; nil where it is not valid.
  @inline(__always)
  mutating func key(_ slice: JSONSlice, at path: FieldPath) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    if slice.isAbsent { reject(.missingField, at: path) }
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    if PayKey.isValid(bytes, count: count) { return (bytes, count) }
    reject(.invalidValue, at: path, evidence: slice)
    return nil
  }

  /// When something happened, as it is written; nil where it is absent or not valid.
  @inline(__always) @discardableResult
  mutating func time(_ slice: JSONSlice, at path: FieldPath) -> UnsafePointer<UInt8>? {
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    if Timestamp.isValid(bytes, count: count) { return bytes }
    reject(.invalidValue, at: path, evidence: slice)
    return nil
  }

  /// When something happened, which must be said; nil where it is not valid.
  mutating func requiredTime(_ slice: JSONSlice, at path: FieldPath) -> UTCTime? {
    if slice.isAbsent { reject(.missingField, at: path) }
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    if Timestamp.isValid(bytes, count: count) { return Timestamp.utc(bytes, count: count) }
    reject(.invalidValue, at: path, evidence: slice)
    return nil
  }

  /// Where notifications go.
  @inline(__always)
  mutating func checkURL(_ slice: JSONSlice, at path: FieldPath) {
    if let (bytes, count) = string(slice, at: path), !NotificationURL.isValid(bytes, count: count) {
      reject(.invalidValue, at: path, evidence: slice)
    }
  }

  /// A currency that must be given; nil where it is not valid.
  mutating func requiredCurrency(_ slice: JSONSlice, at path: FieldPath) -> Currency? {
    if slice.isAbsent { reject(.missingField, at: path) }
    guard let (bytes, count) = string(slice, at: path) else { return nil }
    if let currency = Currency.find(bytes, count: count) { return currency }
    reject(.currencyNotSupported, at: path, evidence: slice)
    return nil
  }

  private mutating func checkCurrency() {
    let tally = tally
    let slice = scanner.field(.paymentCurrency)
    if slice.isAbsent {
      currency = .usd
    } else if let (bytes, count) = string(slice, at: .top(.paymentCurrency)) {
      currency = Currency.find(bytes, count: count)
      if currency == nil { reject(.currencyNotSupported, at: .top(.paymentCurrency), evidence: slice) }
    }
    if let currency { tally.pointee.gross.set(.zero(at: -currency.settlementExponent)) }
  }

  /// `CURRENCY_IN_COUNTRY_ONLY`: reported once, whoever is elsewhere.
  mutating func checkCountries() {
    if tally.pointee.hasForeignCountry { reject(.currencyInCountryOnly, at: .top(.paymentCurrency)) }
  }
}
