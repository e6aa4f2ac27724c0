import Input
import Text

/// What a finding says: what is wrong, and what was expected (`ReasonTable`).
extension RecordAssessor {
  /// Appends the message of one of this record's findings.
  public mutating func writeMessage(of finding: Finding, to text: inout TextBuffer) {
    switch finding.reason.row.message {
    case .fixed(let words): text.append(words)
    case .value(let words): writeValue(finding, words, to: &text)
    case .figures(let found, let expected): writeFigures(finding, found, expected, to: &text)
    case .written(let write): write(&self, finding, &text)
    }
  }

  // MARK: Messages of reasons

  /// `NAME is VALUE` and what was expected of it.
  private mutating func writeValue(_ finding: Finding, _ expected: StaticString, to text: inout TextBuffer) {
    show(finding.evidence, named: finding.path.field?.name ?? "value", to: &text)
    text.append(expected)
  }

  mutating func writeUnknownType(_ finding: Finding, to text: inout TextBuffer) {
    show(finding.evidence, named: "type", to: &text)
    text.append("; expected header payment or trailer")
  }

  mutating func writeMissing(_ finding: Finding, to text: inout TextBuffer) {
    if let field = finding.path.field { text.append(field.name) }
    text.append(" is missing; it is required")
  }

  mutating func writeWrongType(_ finding: Finding, to text: inout TextBuffer) {
    let field = finding.path.field
    text.append(field?.name ?? "element")
    text.append(" is ")
    text.append(finding.evidence.kind.words)
    text.append("; expected ")
    text.append(field?.expectedType ?? "an object")
  }

  mutating func writeInvalid(_ finding: Finding, to text: inout TextBuffer) {
    writeValue(finding, "; expected ", to: &text)
    if let field = finding.path.field { text.append(field.values) }
  }

  mutating func writePrecision(_ finding: Finding, to text: inout TextBuffer) {
    writeValue(finding, "", to: &text)
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

  mutating func writeOnlyCountry(to text: inout TextBuffer) {
    text.append(currency?.code ?? "the currency")
    text.append(" may only be used where all parties are in ")
    text.append(currency?.onlyCountry?.code ?? "its country")
  }

  mutating func writeReceiverCount(_ finding: Finding, to text: inout TextBuffer) {
    writeReceivers(Int(finding.evidence.start), to: &text)
    text.append("; expected 1 to 6 or a primary one with 1 to 5 others")
  }

  private func writeReceivers(_ count: Int, to text: inout TextBuffer) {
    text.append(number: count)
    text.append(count == 1 ? " receiver" : " receivers")
  }

  mutating func writePrimaryCount(_ finding: Finding, to text: inout TextBuffer) {
    text.append(number: Int(finding.evidence.start))
    text.append(" receivers are primary; expected at most one")
  }

  /// `recipient is ACCOUNT`, of which nothing is masked, and whose account it is, too.
  mutating func writeRecipient(_ finding: Finding, _ words: StaticString, to text: inout TextBuffer) {
    show(finding.evidence, named: "recipient", isIdentifier: true, to: &text)
    text.append(" ")
    text.append(words)
  }

  mutating func writeSplitTerms(_ finding: Finding, to text: inout TextBuffer) {
    switch finding.path.field?.name.description {
    case "split": text.append("split takes exactly one of percent and share and stands in no primary receiver")
    case "keep": text.append("keep takes exactly one of percent and share and stands in the primary receiver alone")
    case "min": text.append("min is above max")
    default:
      text.append(finding.path.field?.name ?? "the field")
      text.append(" may not stand beside split nor in a primary receiver beside splitTotal")
    }
  }

  /// How the parts of a split compare with its total.
  func writeSplitTotal(_ words: StaticString, to text: inout TextBuffer) {
    text.append("the parts ")
    text.append(words)
    text.append(" than the total of ")
    MessageText.append(split.pointee.total, to: &text)
  }

  mutating func writeFeePayer(_ finding: Finding, to text: inout TextBuffer) {
    writeValue(finding, "; not allowed for a ", to: &text)
    if let kind { text.append(kind.name) }
    text.append(" payment of ")
    writeReceivers(receiverCount, to: &text)
  }

  mutating func writeEarlierRun(_ finding: Finding, to text: inout TextBuffer) {
    text.append("run ")
    text.append(number: Int(finding.evidence.start))
    text.append(" settled a payment with the same payKey")
  }

  private func writeFigures(
    _ finding: Finding, _ found: StaticString, _ expected: StaticString, to text: inout TextBuffer
  ) {
    let figure = Int(finding.evidence.start)
    text.append(found)
    MessageText.append(figures[figure], to: &text)
    text.append(expected)
    MessageText.append(figures[figure + 1], to: &text)
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
    case .object, .array: return text.append(slice.kind.words)
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
    case .splitRounded: text.append("the part was rounded up by a minor unit that cutting left over")
    }
  }
}
