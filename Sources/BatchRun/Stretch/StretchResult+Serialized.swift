import Claims
import ExactArithmetic
import Money
import Postings
import Rules
import Text

/// The serialized form of a stretch: what another process needs to merge it. No text of the batch but header and trailer
/// lines is in it.
///
/// In order: magic, version, the engine's version, a check of the hash key, counts, totals, account sums, envelope lines,
/// rows, texts, claims of all steps, what refunds need; at the end the XXH3-64 of all before it. Numbers are LEB128, except for halves of fingerprints and
/// the digest, which are little-endian words; texts have their length before them. Codes and decimals are texts.
extension StretchResult {
  private static let magic = "settle-stretch"
  private static let version = 3

  /// The serialized form; the stretch holds all its postings afterwards.
  ///
  /// - Parameter hash: the hash of its claims. The form has a digest of its key, not the key.
  func serialized(hash: KeyedHash) -> [UInt8] {
    post()
    var writer = ByteWriter()
    writer.text(Self.magic)
    writer.number(Self.version)
    writer.text(BatchRun.version)
    writer.fingerprint(Self.check(of: hash))
    for count in [lineFeeds, textBytes, recordCount] { writer.number(count) }
    writer.place(firstRecord)
    writer.totals(totals)
    writer.accounts(accounts)
    writer.number(envelope.count)
    for line in envelope { writer.envelope(line) }
    writer.number(rows.count)
    for row in rows {
      for value in [row.number, row.line, row.length] { writer.number(value) }
    }
    writer.text(UnsafeBufferPointer(start: rowTexts.bytes, count: rowTexts.count))
    writer.text(UnsafeBufferPointer(start: settled.bytes, count: settled.count))
    writer.number(claims.count)
    for claim in claims { writer.claim(claim) }
    writer.number(laterClaims.count)
    for claim in laterClaims { writer.laterClaim(claim) }
    writer.text(UnsafeBufferPointer(start: refundables.bytes, count: refundables.count))
    writer.word(ByteReader.digest(writer.bytes[...]))
    return writer.bytes
  }

  /// Reads a serialized stretch.
  ///
  /// Throws where it is damaged (74), or of another version of settle or another hash (78).
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - hash: the hash of its claims.
  convenience init(serialized bytes: [UInt8], name: String, hash: KeyedHash) throws(RunFailure) {
    self.init(accounts: AccountTotals())
    var reader = try ByteReader(bytes, name: name)
    guard try reader.string() == Self.magic else { throw reader.damage("it is no stretch of a batch") }
    guard try reader.number() == Self.version, try reader.string() == BatchRun.version else {
      throw .configuration("\(name): made by another version of settle; settle the batch anew")
    }
    guard try reader.fingerprint() == Self.check(of: hash) else {
      throw .configuration("\(name): its keys were hashed for another batch or ledger")
    }
    lineFeeds = try reader.number()
    textBytes = try reader.number()
    recordCount = try reader.number()
    firstRecord = try reader.place()
    totals = try reader.totals()
    try reader.accounts(into: accounts)
    for _ in 0..<(try reader.number()) { envelope.append(try reader.envelope()) }
    for _ in 0..<(try reader.number()) { rows.append(try reader.row(within: bytes.count)) }
    try reader.text(into: &rowTexts)
    try reader.text(into: &settled)
    for _ in 0..<(try reader.number()) { claims.append(try reader.claim()) }
    for _ in 0..<(try reader.number()) { laterClaims.append(try reader.laterClaim()) }
    try reader.text(into: &refundables)
    guard reader.isAtEnd, isConsistent else { throw reader.damage("what it says does not agree with itself") }
  }

  private static func check(of hash: KeyedHash) -> Fingerprint {
    hash.fingerprint(Array(magic.utf8), count: magic.utf8.count)
  }

  /// Whether counts and places agree, so that merging can rely on them.
  private var isConsistent: Bool {
    var register = ClaimRegister()
    var (settledEnd, rowsEnd, before) = (0, 0, 0)
    for claim in claims {
      guard claim.settled.lowerBound >= settledEnd, claim.rows.lowerBound >= rowsEnd,
        register.grants(claim.claim) != claim.isRefused
      else { return false }
      (settledEnd, rowsEnd) = (claim.settled.upperBound, claim.rows.upperBound)
    }
    guard zip(laterClaims, laterClaims.dropFirst()).allSatisfy({ $0.claim < $1.claim }),
      laterClaims.last.map({ $0.claim < claims.count }) ?? true
    else { return false }
    for line in envelope {
      guard line.recordsBefore >= before else { return false }
      before = line.recordsBefore
    }
    return settledEnd <= settled.count && rowsEnd <= rows.count && before <= recordCount
      && rows.reduce(0) { $0 + $1.length } == rowTexts.count && totals.recordsRead == recordCount
      && totals.imbalance == nil && RefundablePayments.areWhole(refundables)
  }
}

// MARK: Parts of the form, each written and read side by side

extension ByteWriter {
  mutating func fingerprint(_ fingerprint: Fingerprint) {
    word(fingerprint.low)
    word(fingerprint.high)
  }

  fileprivate mutating func place(_ place: Int?) { number(place.map { $0 + 1 } ?? 0) }

  mutating func decimal(_ decimal: ExactDecimal) { text("\(decimal)") }

  fileprivate mutating func totals(_ totals: ControlTotals) {
    for count in totals.byOutcome + [totals.recordsRead, totals.recordsWithoutControlAmount, totals.otherRecords] {
      number(count)
    }
    counts(RejectionReason.allCases.map { ("\($0.code)", totals.errors[Int($0.rawValue)]) })
    counts(Notice.allCases.map { ("\($0.code)", totals.notices[Int($0.rawValue)]) })
    let used = Currency.all.filter {
      let sums = totals.currencies[Int($0.index)]
      return sums.records + sums.refundRecords > 0
    }
    number(used.count)
    for currency in used {
      let sums = totals.currencies[Int(currency.index)]
      text(currency.code)
      number(sums.records)
      number(sums.payments)
      number(sums.refundRecords)
      for figure in CurrencyTotals.figures { decimal(sums[keyPath: figure]) }
    }
  }

  private mutating func counts(_ counts: [(code: String, count: Int)]) {
    let some = counts.filter { $0.count > 0 }
    number(some.count)
    for (code, count) in some {
      text(code)
      number(count)
    }
  }

  fileprivate mutating func accounts(_ accounts: AccountTotals) {
    number(accounts.count)
    accounts.visit(threads: 1) { balance in
      byte(balance.side.rawValue)
      text(balance.account)
      text(balance.currency.code)
      number(balance.sums.payments)
      for figure in [balance.sums.gross, balance.sums.passedOn, balance.sums.fee] { decimal(figure) }
    }
  }

  fileprivate mutating func envelope(_ line: EnvelopeLine) {
    flag(line.isHeader)
    flag(line.hasDuplicateField)
    number(line.number)
    number(line.recordsBefore)
    place(line.recordBehind)
    line.text.withUnsafeBufferPointer { text($0) }
  }

  fileprivate mutating func claim(_ record: RecordClaim) {
    byte(record.claim.space.rawValue)
    fingerprint(record.claim.key)
    flag(record.claim.isSettled)
    flag(record.isRefused)
    number(Int(record.claim.earlierRun))
    for value in [record.line, record.length, record.number] { number(value) }
    for range in [record.settled, record.rows] {
      number(range.lowerBound)
      number(range.count)
    }
  }
}

extension ByteReader {
  mutating func fingerprint() throws(RunFailure) -> Fingerprint {
    Fingerprint(low: try word(), high: try word())
  }

  fileprivate mutating func place() throws(RunFailure) -> Int? {
    let number = try number()
    return number == 0 ? nil : number - 1
  }

  /// A sum in a currency, with the decimals that its sums have.
  mutating func decimal(_ currency: Currency) throws(RunFailure) -> ExactDecimal {
    guard let decimal = ExactDecimal(try string()), decimal.exponent == -currency.settlementExponent else {
      throw damage("a sum is no amount of its currency")
    }
    return decimal
  }

  mutating func currency() throws(RunFailure) -> Currency {
    guard let currency = Currency(code: try string()) else { throw damage("it names an unknown currency") }
    return currency
  }

  fileprivate mutating func totals() throws(RunFailure) -> ControlTotals {
    var totals = ControlTotals()
    for place in totals.byOutcome.indices { totals.byOutcome[place] = try number() }
    totals.recordsRead = try number()
    totals.recordsWithoutControlAmount = try number()
    totals.otherRecords = try number()
    try counts(RejectionReason.allCases.map { "\($0.code)" }, into: &totals.errors)
    try counts(Notice.allCases.map { "\($0.code)" }, into: &totals.notices)
    for _ in 0..<(try number()) {
      let currency = try currency()
      var sums = totals.currencies[Int(currency.index)]
      sums.records = try number()
      sums.payments = try number()
      sums.refundRecords = try number()
      for figure in CurrencyTotals.figures { sums[keyPath: figure] = try decimal(currency) }
      totals.currencies[Int(currency.index)] = sums
    }
    return totals
  }

  private mutating func counts(_ codes: [String], into counts: inout [Int]) throws(RunFailure) {
    for _ in 0..<(try number()) {
      guard let place = codes.firstIndex(of: try string()) else { throw damage("it counts an unknown code") }
      counts[place] = try number()
    }
  }

  fileprivate mutating func accounts(into accounts: AccountTotals) throws(RunFailure) {
    for _ in 0..<(try number()) {
      let side = AccountSide(rawValue: try byte())
      var account = TextBuffer()
      try text(into: &account)
      let currency = try currency()
      let sums = AccountSums(
        payments: try number(), gross: try decimal(currency), passedOn: try decimal(currency),
        fee: try decimal(currency))
      // No account is longer than an email address may be, by far.
      guard let side, account.count < 1 << 12 else { throw damage("it has sums of no account") }
      let text = UnsafeBufferPointer(start: UnsafePointer(account.bytes), count: account.count)
      accounts.add(AccountBalance(side: side, account: text, currency: currency, sums: sums))
    }
  }

  fileprivate mutating func envelope() throws(RunFailure) -> EnvelopeLine {
    let (isHeader, hasDuplicateField) = (try flag(), try flag())
    let (number, recordsBefore, recordBehind) = (try number(), try number(), try place())
    return EnvelopeLine(
      isHeader: isHeader, text: Array(try text()), number: number, recordsBefore: recordsBefore,
      hasDuplicateField: hasDuplicateField, recordBehind: recordBehind)
  }

  fileprivate mutating func row(within count: Int) throws(RunFailure) -> RowPlace {
    let row = RowPlace(number: try number(), line: try number(), length: try number())
    guard row.length <= count else { throw damage("it has a row that is longer than all of it") }
    return row
  }

  fileprivate mutating func claim() throws(RunFailure) -> RecordClaim {
    guard let space = Claim.Space(rawValue: try byte()) else { throw damage("it claims a key of an unknown kind") }
    let (key, isSettled, isRefused) = (try fingerprint(), try flag(), try flag())
    let (run, line, length, number) = (try number(), try number(), try number(), try number())
    guard key == key.ofPayKey || space == .preapprovalKey, let earlierRun = UInt32(exactly: run),
      length <= RecordLimits.maximumLength
    else {
      throw damage("it has a claim that no record makes")
    }
    return RecordClaim(
      claim: Claim(space, key, isSettled: isSettled, earlierRun: earlierRun), line: line, length: length,
      number: number, settled: try range(), rows: try range(), isRefused: isRefused)
  }

  private mutating func range() throws(RunFailure) -> Range<Int> {
    let start = try number()
    return start..<start + (try number())
  }
}

extension CurrencyTotals {
  /// The sums, in the order of the serialized form.
  fileprivate static var figures: [WritableKeyPath<CurrencyTotals, ExactDecimal>] {
    [
      \.byOutcome.0, \.byOutcome.1, \.byOutcome.2, \.byOutcome.3, \.senderAmount, \.senderFees, \.receiverNet, \.fees,
      \.refundControl,
    ]
  }
}
