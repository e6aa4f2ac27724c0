import Input
import Records
import Text

/// The message of a finding: what is wrong, and what was expected (`ReasonRow`).
extension Judgement {
  /// Appends the message of one of this record's findings.
  public func writeMessage(of finding: Finding, to text: inout TextBuffer) {
    switch finding.reason.row.message {
    case .fixed(let words): text.append(words)
    case .value(let words): writeValue(finding, words, to: &text)
    case .figures(let found, let expected): writeFigures(finding, found, expected, to: &text)
    case .written(let write): write(self, finding, &text)
    }
  }

  // MARK: Messages of reasons

  /// Appends `NAME is "VALUE"` and what was expected.
  private func writeValue(_ finding: Finding, _ expected: StaticString, to text: inout TextBuffer) {
    show(refused(finding), named: finding.path.field?.name ?? "value", to: &text)
    text.append(expected)
    writeHint(finding, to: &text)
  }

  /// The value that a finding refuses: its evidence, or the value of the field that it points to.
  private func refused(_ finding: Finding) -> JSONSlice {
    if !finding.evidence.isAbsent { return finding.evidence }
    for row in 1..<record.scanner.rowCount where finding.reason == .refundReceiverUnknown {
      let path = FieldPath.refundReceiver(record.scanner.receiverIndex(row: row)).refundReceiverField(.recipient)
      if path == finding.path { return record.scanner.refundReceiverField(.recipient, row: row) }
    }
    return record.scanner.topField(finding.path)
  }

  /// Appends what a refused string probably meant.
  ///
  /// - Parameter known: the valid strings, if they are enumerated.
  private func writeHint(_ finding: Finding, known: [StaticString] = [], to text: inout TextBuffer) {
    let slice = finding.path == .card(.entry) ? record.scanner.cardField(.entry) : finding.evidence
    guard slice.kind == .string else { return }
    if let hint = record.withCharacters(of: slice, { ValueHint.words(for: $0, finding.reason, known: known) }) {
      text.append("; \(hint)")
    }
  }

  func writeUnknownType(_ finding: Finding, to text: inout TextBuffer) {
    show(finding.evidence, named: "type", to: &text)
    let known = RecordType.allCases.map(\.spelling)
    text.append("; expected \(MessageText.list(known.map(\.description)))")
    writeHint(finding, known: known, to: &text)
  }

  func writeMissing(_ finding: Finding, to text: inout TextBuffer) {
    text.append(finding.path.field?.name ?? "", " is missing; it is required")
  }

  func writeWrongType(_ finding: Finding, to text: inout TextBuffer) {
    let (field, slice) = (finding.path.field, finding.evidence)
    text.append(field?.name ?? "element", " is ", slice.kind.words)
    if slice.kind == .string || slice.kind == .number, !finding.path.isInCard {
      text.append(", ")
      show(slice, to: &text)
    }
    text.append("; expected ", field?.expectedType ?? "an object")
  }

  func writeInvalid(_ finding: Finding, to text: inout TextBuffer) {
    guard let field = finding.path.field else { return writeValue(finding, "", to: &text) }
    if finding.path.isInCard {
      text.append(field.name, " is not valid")
    } else {
      show(finding.evidence, named: field.name, to: &text)
    }
    text.append("; expected \(field.values)")
    writeHint(finding, known: field.known, to: &text)
  }

  func writePrecision(_ finding: Finding, to text: inout TextBuffer) {
    writeValue(finding, "", to: &text)
    if let currency { text.append("; \(currency.decimalsTaken)") }
  }

  func writeOnlyCountry(_: Finding, to text: inout TextBuffer) {
    let country = currency?.onlyCountry?.code ?? "its country"
    text.append("\(currency?.code ?? "the currency") may only be used where all parties are in \(country)")
  }

  func writeReceiverCount(_ finding: Finding, to text: inout TextBuffer) {
    let count = Int(finding.evidence.start)
    writeReceivers(count, to: &text)
    if recordType == .refund { return text.append("; expected 1 to 6") }
    switch (count, tally.primaryCount) {
    case (0, _): text.append("; expected at least one")
    case (1, _): text.append(" and it is primary; a primary receiver passes on to 1 to 5 others")
    case (_, 0): text.append("; expected at most 6")
    default: text.append("; expected at most 6: a primary one and 5 others")
    }
  }

  private func writeReceivers(_ count: Int, to text: inout TextBuffer) {
    text.append("\(count) \(count == 1 ? "receiver" : "receivers")")
  }

  func writePrimaryCount(_ finding: Finding, to text: inout TextBuffer) {
    text.append("\(finding.evidence.start) receivers are primary; expected at most one")
  }

  /// Appends `recipient is "ACCOUNT"`, unmasked, and which other party has that account.
  func writeRecipient(_ finding: Finding, _ words: StaticString, to text: inout TextBuffer) {
    show(finding.evidence, named: "recipient", isIdentifier: true, to: &text)
    text.append(words)
  }

  func writeTypes(_: Finding, to text: inout TextBuffer) {
    let types = (1..<record.scanner.rowCount).compactMap { row -> PaymentType? in
      let slice = record.scanner.receiverField(.paymentType, row: row)
      if slice.isAbsent { return sharedTypes.type }
      return record.withCharacters(of: slice) { PaymentType.find($0) }
    }
    let first = types.first ?? .notSet
    let isEarlier = record.isEarlier
    let other = types.first { isEarlier ? $0 != first : ($0 == .personal) != (first == .personal) } ?? first
    text.append("receivers have \"\(first.name)\" and \"\(other.name)\" as paymentType; expected ")
    text.append(isEarlier ? "the same for all" : "TYPE_PERSONAL for all of them or for none")
  }

  func writeSplitTerms(_ finding: Finding, to text: inout TextBuffer) {
    let field = finding.path.field?.name ?? "the field"
    switch field.description {
    case "split", "keep":
      let terms = finding.evidence
      let hasPercent = !record.scanner.termsField(.percent, of: terms).isAbsent
      let hasShare = !record.scanner.termsField(.share, of: terms).isAbsent
      guard hasPercent != hasShare else {
        text.append(field, hasShare ? " has percent and share" : " has neither percent nor share")
        return text.append("; expected exactly one of them")
      }
      text.append(
        field, field.description == "keep" ? " is only for a primary receiver" : " is not for a primary receiver")
    case "min": writeFigures(finding, "min is ", "; max is only ", to: &text)
    default: text.append(field, " is not allowed together with split, nor in a primary receiver of a splitTotal")
    }
  }

  func writeAdjustment(_ finding: Finding, to text: inout TextBuffer) {
    if finding.path.field?.name.description == "recipient" {
      return writeRecipient(
        finding, ", which is not a receiver with amounts of its own, or is in an earlier element", to: &text)
    }
    writeValue(finding, "; the payment's is ", to: &text)
    text.append(currency?.code ?? "not known")
  }

  func writeZeroPart(_: Finding, to text: inout TextBuffer) {
    text.append("the part of ")
    MessageText.append(split.total, to: &text)
    text.append(" comes to zero; give it min 0 if that is wanted")
  }

  func writeFeePayer(_ finding: Finding, to text: inout TextBuffer) {
    guard let kind else { preconditionFailure("a payment of no kind allows every fee payer") }
    writeValue(finding, "; not allowed for a ", to: &text)
    text.append(kind.name, " payment of ")
    writeReceivers(receiverCount, to: &text)
    let allowed = FeePayer.allCases.filter { $0.isAllowed(for: kind, receivers: receiverCount) }
    text.append("; expected \(MessageText.list(allowed.map(\.name)))")
  }

  func writeNotWhole(_ finding: Finding, to text: inout TextBuffer) {
    writeFigures(finding, "the parts add up to ", " of ", to: &text)
    text.append("; expected a receiver with a share and no max, or a primary one: it gets the rest")
  }

  func writeEarlierRun(_ finding: Finding, _ what: StaticString, to text: inout TextBuffer) {
    let name = finding.path.field?.name ?? "key"
    show(record.scanner.topField(finding.path), named: name, to: &text)
    text.append("; run \(finding.evidence.start) \(what) with the same")
  }

  func writeDateOutOfRange(_ finding: Finding, to text: inout TextBuffer) {
    let isFirst = finding.path == .preapproval(.startingDate)
    writeValue(finding, isFirst ? "; that is before createdAt" : "; that is before startingDate", to: &text)
  }

  private func writeFigures(
    _ finding: Finding, _ found: StaticString, _ expected: StaticString, to text: inout TextBuffer
  ) {
    let figure = Int(finding.evidence.start)
    text.append(found)
    MessageText.append(record.findings.figures[figure], to: &text)
    text.append(expected)
    MessageText.append(record.findings.figures[figure + 1], to: &text)
  }

  /// Appends `NAME is "VALUE"`, the value as a text from the batch.
  private func show(
    _ slice: JSONSlice, named name: StaticString, isIdentifier: Bool = false, to text: inout TextBuffer
  ) {
    text.append(name, slice.isAbsent ? " is not given" : " is ")
    show(slice, isIdentifier: isIdentifier, to: &text)
  }

  /// Appends a value: a string or number in quotes, otherwise its kind.
  ///
  /// - Parameter isIdentifier: whether it is a valid account, which is not masked.
  private func show(_ slice: JSONSlice, isIdentifier: Bool = false, to text: inout TextBuffer) {
    switch slice.kind {
    case .absent, .null: break
    case .yes: text.append("true")
    case .no: text.append("false")
    // Written out, an object could contain a card number in escapes, which no mask finds.
    case .object, .array: text.append(slice.kind.words)
    case .number: MessageText.append(record.scanner[slice], isQuoted: true, to: &text)
    case .string:
      record.withCharacters(of: slice) { characters in
        if isIdentifier {
          MessageText.append(identifier: characters, isQuoted: true, to: &text)
        } else {
          MessageText.append(characters, isQuoted: true, to: &text)
        }
      }
    }
  }

  func writeUnknownField(_ finding: Finding, to text: inout TextBuffer) {
    if finding.evidence.kind == .absent, finding.path == .top(.splitTotal) {
      return writeNoSplit("splitTotal", to: &text)
    }
    if finding.evidence.kind == .absent, let field = finding.path.topField, let home = record.misplaced(field) {
      return writeHome(home, to: &text)
    }
    let unknown = record.scanner.unknownFields.first { $0.name.start == finding.evidence.start }
    if let unknown, let home = record.misplaced(unknown, in: finding.path) { return writeHome(home, to: &text) }
    let meant = unknown.flatMap { record.fieldMeant(by: $0, in: finding.path) }
    if let meant, meant.slot == nil { return writeNoSplit(meant.name, to: &text) }
    text.append("its object has no such field")
    if let meant { return suggest(meant.name.description, to: &text) }
    writeSuggestion(forName: finding.evidence, in: finding.path, to: &text)
  }

  private func writeHome(_ field: MisplacedFields.Field, to text: inout TextBuffer) {
    text.append(field.name, " belongs ", field.home)
  }

  private func writeNoSplit(_ field: StaticString, to text: inout TextBuffer) {
    text.append("a payment with recipient and subTotal has no ", field)
    text.append("; expected receiverPaymentDetails for a split")
  }

  // MARK: Fields

  /// Appends the field an error points to.
  public func writeField(of finding: Finding, to text: inout TextBuffer) { record.writeField(of: finding, to: &text) }

  /// Appends the field a notice points to.
  public func writeField(of notice: NoticeFinding, to text: inout TextBuffer) {
    record.writeField(notice.path, unknown: notice.name, to: &text)
  }

  // MARK: Suggestions

  private static let namesOfPayment = RecordType.payment.fields.map(\.definition.name)
  private static let namesOfSinglePayment = namesOfPayment + RecordField.ofReceiver.map(\.definition.name)

  /// Asks whether an unknown field of an object means a known one.
  private func writeSuggestion(forName name: JSONSlice, in path: FieldPath, to text: inout TextBuffer) {
    let isAdvanced = !record.scanner.field(.receiverPaymentDetails).isAbsent
    let known =
      path != .record
      ? record.definitions(of: path.level).map(\.name) : isAdvanced ? Self.namesOfPayment : Self.namesOfSinglePayment
    guard name.kind == .string else { return }
    suggest(record.withCharacters(of: name) { Spelling.nearest(Array($0), among: known)?.description }, to: &text)
  }

  private func suggest(_ meant: String?, to text: inout TextBuffer) {
    if let meant { text.append("; did you mean \(meant)?") }
  }

  // MARK: Notices

  public func writeMessage(of notice: NoticeFinding, to text: inout TextBuffer) {
    switch notice.notice {
    case .unknownField:
      text.append("unknown field; it is ignored")
      writeSuggestion(forName: notice.name, in: notice.path, to: &text)
    case .itemDiscounted: text.append("totalPrice is below itemPrice x itemCount; taken as a discount")
    case .invoiceWithoutItems: text.append("invoice has no items; its sum is not checked")
    case .feePayerOverridden:
      text.append("the receiver bears its fee: in IN and DE recipients of personal payments pay")
    case .feeCapped: text.append("the fee was cut to what the receiver keeps")
    case .feeNotSet: text.append("no fee of a name fits the receiver, so none of that name is charged")
    case .amountsAdjusted: text.append("the adjusted amounts replace the receiver's")
    case .taxNotChecked: text.append("no tax rate fits the shipping address; taxes are not checked")
    case .surplusDecimals:
      text.append("the amount is written with more decimals than \(currency?.code ?? "its currency") has")
    case .textTooLong:
      let most = notice.path == .top(.memo) ? LongText.mostOfMemo : LongText.most
      text.append(notice.path.field?.name ?? "the text")
      text.append(" has more than \(most) characters; only the first \(most) are used")
    case .textEmpty: text.append(notice.path.field?.name ?? "the text", " is empty")
    case .urlNotUsed: text.append("ipnUrl is not ", FieldDefinition.urlForm, "; no message is sent to it")
    case .countryNotUsed: text.append("countrycode is not a two-letter country code in upper case; it is not used")
    case .adjustedWithoutAddress:
      text.append("amounts are adjusted, but there is no shippingAddress; expected the address that changed them")
    case .taxRounded: text.append("the tax is not the one that is due, but within the tolerance of the tax rates")
    case .splitRounded: text.append("the part got a minor unit that rounding down left over")
    }
  }
}
