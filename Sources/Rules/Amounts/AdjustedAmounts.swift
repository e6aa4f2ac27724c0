import ExactArithmetic
import Input
import Money
import Postings
import Records

/// A payment's `adjustedAmounts`: amounts that changed because of the buyer's address (`amounts.md`).
struct AdjustedAmounts {
  /// A receiver's amounts.
  private struct Entry {
    /// The account, in lower case; nil if it is not valid, and in the single shape.
    var account: [UInt8]?
    /// The account as written in the record.
    var recipient = JSONSlice.absent
    /// Nil if one of its amounts is not valid.
    var gross: Gross?
    /// Whether a receiver uses it.
    var isTaken = false
    /// Whether an earlier entry has the same account.
    var isRepeated = false
  }

  /// Whether the payment has the field; if not, nothing else here means anything.
  private(set) var isGiven = false
  /// Whether every entry names its receiver; if not, no receiver's amounts are known.
  private var areTold = true
  /// In the order of the elements, including those that are not objects; in the single shape, one.
  private var entries: [Entry] = []
  /// The index in `entries` of the first entry of each account.
  private var places: [[UInt8]: Int] = [:]
  /// How many receivers have a valid account.
  private var accountCount = 0

  /// Checks the shipping address and the result of adjusting the amounts to it.
  @inline(never)
  static func checkAddress(_ record: inout RecordReader) {
    let code = record.top(.amountErrorCode)
    switch record.value(code, whenAbsent: AmountErrorCode.none) {
    case .server, .other: record.reject(.adjustmentFailed, code)
    case .cancel: record.reject(.adjustmentCanceled, code)
    case .some(.none), nil: break
    }
    let address = record.top(.shippingAddress)
    guard address.kind == .object else {
      if !address.isAbsent { record.reject(.wrongType, address) }
      return
    }
    record.checkAddressCountry(record.address(.countrycode))
    for field in AddressField.allCases where field != .countrycode {
      record.checkText(record.address(field), isOfTaxAddress: field == .state || field == .postalcode)
    }
  }

  /// Reads the adjusted amounts of the next payment, whose shape is known.
  @inline(__always)
  mutating func begin(isSingle: Bool, _ judgement: inout Judgement) {
    if isGiven { forget(&judgement.receivers) }
    let value = judgement.record.top(.adjustedAmounts)
    if !value.isAbsent { read(value, isSingle: isSingle, &judgement.record) }
  }

  /// Clears everything for the next payment, and frees the memory that a wide record needed.
  @inline(never)
  private mutating func forget(_ receivers: inout ReceiverList) {
    isGiven = false
    areTold = true
    entries.removeAll(keepingCapacity: entries.count < 64)
    places.removeAll(keepingCapacity: places.count < 64)
    accountCount = 0
    for place in 0..<PaymentKind.maximumReceivers { receivers.figures[place].adjustment = nil }
  }

  // MARK: Reading

  @inline(never)
  private mutating func read(_ value: FieldValue, isSingle: Bool, _ record: inout RecordReader) {
    isGiven = true
    guard value.kind == (isSingle ? .object : .array) else {
      areTold = false
      return record.reject(.wrongType, value)
    }
    if !record.isEarlier, record.top(.shippingAddress).isAbsent, isSingle || !record.scanner.adjustments.isEmpty {
      record.note(.adjustedWithoutAddress, at: value.path)
    }
    if isSingle {
      var entry = Entry()
      entry.gross = readGross(value, &record)
      return entries.append(entry)
    }
    for (index, element) in record.scanner.adjustments.enumerated() {
      let entry = readElement(FieldValue(element, at: .adjustment(index)), &record)
      if entry.account == nil { areTold = false }
      entries.append(entry)
    }
  }

  /// Reads an element of `adjustedAmounts`, which may be anything.
  private mutating func readElement(_ element: FieldValue, _ record: inout RecordReader) -> Entry {
    var entry = Entry()
    guard element.kind == .object else {
      record.reject(.wrongType, element)
      return entry
    }
    let amounts = record.adjustment(.amounts, of: element)
    if amounts.kind == .object {
      entry.gross = readGross(amounts, &record)
    } else {
      record.reject(amounts.isAbsent ? .missingField : .wrongType, amounts)
    }
    let recipient = record.adjustment(.recipient, of: element)
    entry.recipient = recipient.slice
    if recipient.isAbsent { record.reject(.missingField, recipient) }
    guard let text = record.account(recipient) else { return entry }
    let account = Array(record[text])
    entry.account = account
    entry.isRepeated = places[account] != nil
    if entry.isRepeated {
      record.reject(.adjustedAmountsMismatch, recipient)
    } else {
      places[account] = entries.count
    }
    return entry
  }

  private func readGross(_ object: FieldValue, _ record: inout RecordReader) -> Gross? {
    let currency = record.amounts(.currency, of: object)
    if let code = record.string(currency) {
      let own = Currency.find(record[code])
      if own == nil {
        record.reject(.currencyNotSupported, currency)
      } else if record.currency != nil, own != record.currency {
        record.reject(.adjustedAmountsMismatch, currency)
      }
    }
    // They have as many decimals as the payment's currency, which must also be theirs.
    return Gross(
      record.amount(record.amounts(.paymentAmount, of: object), .aboveZero),
      readOrZero(record.amounts(.tax, of: object), &record),
      readOrZero(record.amounts(.shipping, of: object), &record))
  }

  private func readOrZero(_ value: FieldValue, _ record: inout RecordReader) -> ExactDecimal? {
    guard value.isAbsent else { return record.amount(value, .zeroOrMore) }
    return .zero(at: -(record.currency?.settlementExponent ?? 0))
  }

  // MARK: Receivers

  /// Replaces a receiver's own amounts with its adjusted ones, if it has any, and decides whether its amounts are known.
  @inline(never)
  mutating func adjust(_ receiver: inout ReceiverFigures, _ posting: inout Posting, _ record: inout RecordReader) {
    let object = receiver.place
    receiver.adjustment = nil
    if !areTold { receiver.areAmountsKnown = false }
    var (place, takesAmounts) = (0, true)
    if object.row > 0 {
      let account = Array(record.copies.span.extracting(posting.account))
      guard account.count > 0 else {
        if !entries.isEmpty { receiver.areAmountsKnown = false }
        return
      }
      accountCount += 1
      guard let found = places[account], !entries[found].isTaken else { return }
      place = found
      entries[place].isTaken = true
      // A receiver with a part, or a primary one that gets a total, has no amounts of its own.
      let isPart = !record.receiver(.split, of: object).isAbsent
      takesAmounts = !isPart && !(receiver.isPrimary && record.hasSplitTotal)
      if !takesAmounts { refuse(place, &record) }
    }
    guard areTold, let gross = entries[place].gross else { return receiver.areAmountsKnown = false }
    receiver.adjustment = place
    receiver.set(gross)
    receiver.setGross(of: &posting)
    receiver.areAmountsKnown = true
    if takesAmounts { record.note(.amountsAdjusted, at: object.path) }
  }

  private func refuse(_ place: Int, _ record: inout RecordReader) {
    let path = FieldPath.adjustment(place).adjustmentField(.recipient)
    record.reject(.adjustedAmountsMismatch, at: path, evidence: entries[place].recipient)
  }

  /// Rejects adjusted amounts that belong to no receiver, if all receivers are known.
  @inline(__always)
  func checkRecipients(_ judgement: inout Judgement) {
    guard isGiven, judgement.receivers.count > 0, accountCount == judgement.receivers.count else { return }
    for (place, entry) in entries.enumerated() where entry.account != nil && !entry.isTaken && !entry.isRepeated {
      refuse(place, &judgement.record)
    }
  }
}
