import Money
import Records

/// The fields that both shapes have.
extension RecordAssessor {
  mutating func checkTopLevel() {
    checkCurrency()
    checkPayKey()
    status = value(scanner.field(.status), at: .top(.status), whenAbsent: .completed)
    feePayer = value(scanner.field(.feePayer), at: .top(.feePayer), whenAbsent: .eachReceiver)
    fundingSource = value(scanner.field(.fundingSource), at: .top(.fundingSource), whenAbsent: .balance)
    if let account = account(scanner.field(.sender), at: .top(.sender)) { sender = account }
    senderCountry = country(scanner.field(.senderCountry), at: .top(.senderCountry))

    let createdAt = scanner.field(.createdAt)
    if let (bytes, count) = string(createdAt, at: .top(.createdAt)), !Timestamp.isValid(bytes, count: count) {
      reject(.invalidValue, at: .top(.createdAt), evidence: createdAt)
    }
    if !scanner.field(.shippingAddress).isAbsent || !scanner.field(.amountErrorCode).isAbsent { checkAddress() }
    checkText(scanner.field(.memo), at: .top(.memo), maximum: 1000)
    let ipnUrl = scanner.field(.ipnUrl)
    if let (bytes, count) = string(ipnUrl, at: .top(.ipnUrl)), !NotificationURL.isValid(bytes, count: count) {
      reject(.invalidValue, at: .top(.ipnUrl), evidence: ipnUrl)
    }
  }

  private mutating func checkPayKey() {
    let slice = scanner.field(.payKey)
    if slice.isAbsent { return reject(.missingField, at: .top(.payKey)) }
    guard let (bytes, count) = string(slice, at: .top(.payKey)) else { return }
    guard PayKey.isValid(bytes, count: count) else { return reject(.invalidValue, at: .top(.payKey), evidence: slice) }
    payKey = (bytes, count)
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
