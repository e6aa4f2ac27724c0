import BatchFile
import ExactArithmetic
import Payments

/// What a finding says: what is wrong, and what was expected. No commas or quotes of its own, so that a report rarely
/// has to quote it.
extension PaymentAssessor {
  /// Appends the message of one of this record's findings.
  public mutating func writeMessage(of finding: Finding, to text: inout TextBuffer) {
    let path = finding.path
    switch finding.reason {
    case .recordTooLong: text.append("record is over the limit of 1048576 bytes")
    case .invalidUTF8: text.append("line is not UTF-8")
    case .malformedJSON: text.append("line is not exactly one JSON value of at most 64 levels")
    case .notAnObject: text.append("record is no JSON object")
    case .duplicateField: text.append("record has a field twice in one object")
    case .unknownRecordType:
      show(finding.evidence, named: "type", to: &text)
      text.append("; expected header payment or trailer")
    case .missingField:
      text.append(path.leafName)
      text.append(" is missing; it is required")
    case .wrongType: writeWrongType(finding, to: &text)
    case .invalidValue:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected ")
      text.append(Expectation.value(of: path.leafName))
    case .invalidRecipient:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected an email address or a phone number like +14029352050")
    case .decimalSyntax:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected a decimal like 12.34 of at most 64 digits and an exponent from -64 to 64")
    case .negativeAmount:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected no value below zero")
    case .amountNotPositive:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected a value above zero")
    case .amountPrecision:
      show(finding.evidence, named: path.leafName, to: &text)
      writePrecision(to: &text)
    case .currencyNotSupported:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected one of the 24 currencies (settle currencies lists them)")
    case .countryNotSupported:
      show(finding.evidence, named: path.leafName, to: &text)
      text.append("; expected a two-letter country code in upper case")
    default: writeRelation(finding, to: &text)
    }
  }

  /// Findings about several values together.
  private mutating func writeRelation(_ finding: Finding, to text: inout TextBuffer) {
    switch finding.reason {
    case .currencyInCountryOnly:
      text.append(currency?.code ?? "the currency")
      text.append(" may only be used where all parties are in ")
      text.append(currency?.onlyCountry?.code ?? "its country")
    case .paymentShape:
      text.append("expected either receiverPaymentDetails or recipient and subTotal")
    case .receiverCount:
      let receivers = Int(finding.evidence.start)
      text.append(number: receivers)
      text.append(receivers == 1 ? " receiver" : " receivers")
      text.append("; expected 1 to 6 or a primary one with 1 to 5 others")
    case .multiplePrimary:
      text.append(number: Int(finding.evidence.start))
      text.append(" receivers are primary; expected at most one")
    case .receiversNotUnique:
      show(finding.evidence, named: "recipient", isIdentifier: true, to: &text)
      text.append(" as an earlier receiver; each may stand once")
    case .senderIsReceiver:
      show(finding.evidence, named: "recipient", isIdentifier: true, to: &text)
      text.append(" as the sender; nobody can pay themselves")
    case .paymentTypeMixed: text.append("receivers differ in paymentType; expected the same for all")
    case .personalNotAllowed: text.append("paymentType is TYPE_PERSONAL; not allowed in a chained payment")
    case .subtypeNotAllowed:
      show(finding.evidence, named: "paymentSubType", to: &text)
      text.append("; only TYPE_SERVICE takes a subtype")
    case .itemTotalMismatch:
      writeFigures(finding, "totalPrice is ", "; itemPrice x itemCount is ", to: &text)
    case .invoiceSubtotalMismatch:
      writeFigures(finding, "items sum to ", "; the subtotal is ", to: &text)
    case .chainExceedsPrimary:
      writeFigures(finding, "secondary receivers get ", "; the primary gets only ", to: &text)
    case .feePayerNotAllowed:
      show(finding.evidence, named: "feePayer", to: &text)
      text.append("; not allowed for a ")
      text.append(kind.map { $0.name } ?? "")
      text.append(" payment of ")
      text.append(number: receiverCount)
      text.append(receiverCount == 1 ? " receiver" : " receivers")
    case .feesExceedAmount:
      writeFigures(finding, "fees are ", "; their bearer keeps only ", to: &text)
    case .duplicatePayKey: text.append("an earlier payment of the batch has the same payKey")
    case .alreadySettled:
      text.append("run ")
      text.append(number: Int(finding.evidence.start))
      text.append(" settled a payment with the same payKey")
    default: preconditionFailure("\(finding.reason) is told by writeMessage")
    }
  }

  private mutating func writeWrongType(_ finding: Finding, to text: inout TextBuffer) {
    let name = finding.path.leafName
    text.append(name.utf8CodeUnitCount == 0 ? "element" : name)
    text.append(" is ")
    text.append(Expectation.kind(of: finding.evidence.kind))
    text.append("; expected ")
    text.append(Expectation.type(of: name))
  }

  private func writePrecision(to text: inout TextBuffer) {
    guard let currency else { return }
    text.append("; ")
    text.append(currency.code)
    if currency.settlementExponent == 0 {
      text.append(" takes no decimals")
    } else {
      text.append(" takes at most ")
      text.append(number: currency.settlementExponent)
      text.append(" decimals")
    }
  }

  private func writeFigures(
    _ finding: Finding, _ found: StaticString, _ expected: StaticString, to text: inout TextBuffer
  ) {
    let figure = Int(finding.evidence.start)
    text.append(found)
    writeCut(figures[figure], to: &text)
    text.append(expected)
    writeCut(figures[figure + 1], to: &text)
  }

  /// A figure in plain notation; one of more than 64 digits in scientific notation, cut. Figures of fewer digits than
  /// a card number has, which nearly all are, cost no string.
  private func writeCut(_ figure: ExactDecimal, to text: inout TextBuffer) {
    let hasFewDigits = figure.digitCount < CardNumberMask.lengths.lowerBound && figure.exponent <= 0
    if hasFewDigits, figure.maximumPlainLength <= MessageText.maximumLength {
      text.append(figure)
    } else {
      text.append(MessageText.figure(figure))
    }
  }

  /// `NAME is VALUE`, the value as a text from the batch.
  ///
  /// - Parameter isIdentifier: whether it is a valid account, of which nothing is masked.
  private mutating func show(
    _ slice: JSONSlice, named name: StaticString, isIdentifier: Bool = false, to text: inout TextBuffer
  ) {
    text.append(name)
    text.append(" is ")
    switch slice.kind {
    case .string: break
    // As written, an object may hold a card number in escapes, where no mask finds it.
    case .object, .array: return text.append(Expectation.kind(of: slice.kind))
    default: return MessageText.append(line + Int(slice.start), count: slice.length, to: &text)
    }
    // Unescaped apart: the scratch space holds the record's own strings only.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, slice.length)) { buffer in
      let bytes = buffer.baseAddress.unsafelyUnwrapped
      let count =
        slice.isEscaped ? UTF8Text.unescape(line + Int(slice.start), count: slice.length, into: bytes) : slice.length
      if !slice.isEscaped { bytes.update(from: line + Int(slice.start), count: count) }
      if count == 0 {
        text.append("empty")
      } else if isIdentifier {
        MessageText.append(identifier: bytes, count: count, to: &text)
      } else {
        MessageText.append(bytes, count: count, to: &text)
      }
    }
  }

  // MARK: Notices

  /// Appends the field a notice points to.
  public func writeField(of notice: NoticeFinding, to text: inout TextBuffer) {
    notice.path.write(to: &text)
    guard notice.name.kind == .string else { return }
    text.append("/")
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, 2 * notice.name.length)) { buffer in
      // An unescaped name, then its pointer form (RFC 6901) behind it.
      let name = buffer.baseAddress.unsafelyUnwrapped
      let count = UTF8Text.unescape(line + Int(notice.name.start), count: notice.name.length, into: name)
      var pointer: [UInt8] = []
      for index in 0..<count {
        switch name[index] {
        case UInt8(ascii: "~"): pointer += [UInt8(ascii: "~"), UInt8(ascii: "0")]
        case UInt8(ascii: "/"): pointer += [UInt8(ascii: "~"), UInt8(ascii: "1")]
        default: pointer.append(name[index])
        }
      }
      pointer.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { MessageText.append(start, count: bytes.count, to: &text) }
      }
    }
  }

  /// Appends the message of a notice.
  public func writeMessage(of notice: Notice, to text: inout TextBuffer) {
    switch notice {
    case .unknownField: text.append("unknown field; it is ignored")
    case .itemDiscounted: text.append("totalPrice is below itemPrice x itemCount; taken as a discount")
    case .invoiceWithoutItems: text.append("invoice has no items; its sum is not checked")
    case .feePayerOverridden:
      text.append("the receiver bears its fee: in IN and DE recipients of personal payments pay")
    case .feeCapped: text.append("the fee was cut to what the receiver keeps")
    }
  }
}
