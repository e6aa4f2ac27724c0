/// Reads answers of a bank as simply as possible, to see whether a file says that a payment came back.
struct AnswerOracle {
  private let bytes: [UInt8]
  private let text: String

  init(_ bytes: [UInt8]) throws(Disagreement) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Whether some place of the file has the reference and the amount of a payment, and says that it came back.
  func states(_ row: AnswerRow, _ payment: AnswerLedger.Payment) throws(Disagreement) -> Bool {
    switch row.format {
    case "NACHA": return hasReturnedEntry(row.reference, payment)
    case "CSV": return text.contains("\(row.reference),") || text.contains("\"\(row.reference)\",")
    // UTF-16 is left to the tests.
    case _ where bytes.contains(0): return true
    default:
      guard let forest = SimpleXML.elements(bytes) else { throw Disagreement(words: "the oracle cannot read it") }
      return forest.contains { element in
        element.name == "TxInfAndSts"
          ? isRefused(element, row.reference, payment, in: forest)
          : element.name == "TxDtls" && isReturned(element, row.reference, payment)
      }
    }
  }
}

// MARK: Debits

extension AnswerOracle {
  /// Whether some place of the file is a debit of a payment, or of a whole file.
  ///
  /// - Parameter payment: nil for a whole file.
  func confirms(_ row: AnswerRow, _ payment: AnswerLedger.Payment?) throws(Disagreement) -> Bool {
    if row.format == "NACHA" {
      let digits = row.amount.filter { $0 != "." }
      return lines.contains { line in
        let text = String(String.UnicodeScalarView(line))
        return (text.hasPrefix("627") || text.hasPrefix("637"))
          && String(text.dropFirst(29).prefix(10).drop { $0 == "0" }) == String(digits.drop { $0 == "0" })
      }
    }
    if bytes.contains(0) { return true }
    guard let forest = SimpleXML.elements(bytes) else { throw Disagreement(words: "the oracle cannot read it") }
    return forest.contains { element in
      guard element.name == "Ntry" else { return false }
      let parts = element.descendants
      let isNamed =
        payment == nil
        ? parts.contains { ["PmtInfId", "MsgId"].contains($0.name) && $0.trimmed.uppercased().contains("-P") }
        : names(element, row.reference, in: ["EndToEndId", "InstrId"])
      return isNamed && parts.contains { $0.name == "CdtDbtInd" && $0.trimmed == "DBIT" }
        && parts.contains { ["Sts", "Cd"].contains($0.name) && $0.trimmed == "BOOK" }
        && parts.contains { part in
          part.name == "Amt"
            && (payment.map { isAmount(part, $0) }
              ?? (part.attributes["Ccy"] == row.currency && PlainAmount.areEqual(part.trimmed, row.amount)))
        }
    }
  }
}

// MARK: NACHA

extension AnswerOracle {
  private func hasReturnedEntry(_ reference: String, _ payment: AnswerLedger.Payment) -> Bool {
    guard payment.currency == "USD" else { return false }
    func text(_ line: [Unicode.Scalar], _ columns: Range<Int>) -> String {
      String(String.UnicodeScalarView(line[columns])).trimmingSpaces
    }
    for (place, line) in lines.enumerated() where line[0] == "6" {
      let cents = text(line, 29..<39)
      guard ["21", "22", "31", "32"].contains(text(line, 1..<3)), text(line, 39..<54) == reference,
        PlainAmount.areEqual("\(cents.dropLast(2)).\(cents.suffix(2))", payment.amount)
      else { continue }
      // Empty lines and lines of nines are skipped.
      let others = lines[(place + 1)...].filter { !text($0, 0..<94).allSatisfy { $0 == "9" } }
      if others.prefix(while: { $0[0] == "7" }).contains(where: { text($0, 0..<3) == "799" }) { return true }
    }
    return false
  }

  /// The lines, one character a column; a file without line ends is cut.
  private var lines: [[Unicode.Scalar]] {
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let start = content.firstIndex { !SimpleXML.spaces.contains($0) } ?? content.endIndex
    let pieces: [ArraySlice<UInt8>]
    var first = content[start...].prefix { $0 != 0x0A }
    if first.last == 0x0D { first = first.dropLast() }
    let isBlock = first.count > 94 && first.count % 94 == 0 && first[first.startIndex + 94] != 0x20
    if content.prefix(1_024).contains(0x0A), !isBlock {
      pieces = content[start...].split(separator: 0x0A)
    } else {
      let records = content[start...].filter { $0 != 0x0A && $0 != 0x0D }
      pieces = stride(from: 0, to: records.count, by: 94).map { records[$0..<min($0 + 94, records.count)] }
    }
    return pieces.map { piece in
      let text = String(validating: piece, as: UTF8.self).map { Array($0.unicodeScalars) }
      let line = text ?? piece.map { UnicodeScalar($0) }
      return line + [Unicode.Scalar](repeating: " ", count: max(0, 94 - line.count))
    }
  }
}

// MARK: XML

extension AnswerOracle {
  private func names(_ element: SimpleXML.Element, _ reference: String, in places: Set<String>) -> Bool {
    element.descendants.contains { part in
      places.contains(part.name) && part.trimmed == reference
        || part.name == "Ustrd" && part.words.contains(reference)
    }
  }

  private func isAmount(_ element: SimpleXML.Element, _ payment: AnswerLedger.Payment) -> Bool {
    element.attributes["Ccy"] == payment.currency && PlainAmount.areEqual(element.trimmed, payment.amount)
  }

  /// A transaction of camt. The amount of its entry is its own only if it is alone there.
  private func isReturned(_ element: SimpleXML.Element, _ reference: String, _ payment: AnswerLedger.Payment) -> Bool {
    let entry = element.ancestors.first { $0.name == "Ntry" }
    let parts =
      element.descendants + (entry?.children.filter { $0.name != "NtryDtls" }.flatMap(\.descendants) ?? [])
    let isAlone = entry.map { $0.descendants.count { $0.name == "TxDtls" } == 1 } ?? false
    return names(element, reference, in: ["EndToEndId", "InstrId"])
      && (isAlone ? parts : element.descendants).contains { $0.name == "Amt" && isAmount($0, payment) }
      && parts.contains { $0.name == "CdtDbtInd" && $0.trimmed == "CRDT" }
      && parts.contains { ["Sts", "Cd"].contains($0.name) && $0.trimmed == "BOOK" }
      && parts.contains {
        $0.name == "RtrInf" || $0.name == "SubFmlyCd" && ["RRTN", "RPCR"].contains($0.trimmed)
      }
  }

  /// A transaction of pain.002.
  private func isRefused(
    _ element: SimpleXML.Element, _ reference: String, _ payment: AnswerLedger.Payment, in forest: [SimpleXML.Element]
  ) -> Bool {
    let amounts = element.descendants.filter { $0.name == "InstdAmt" && !$0.trimmed.isEmpty }
    let payout = reference.prefix { $0 != "-" }
    let hasFileID = forest.contains {
      ["OrgnlMsgId", "OrgnlPmtInfId"].contains($0.name) && $0.trimmed.uppercased().contains("-\(payout)-")
    }
    return names(element, reference, in: ["OrgnlEndToEndId", "OrgnlInstrId"])
      && element.children.contains { $0.name == "TxSts" && ["RJCT", "CANC"].contains($0.trimmed) }
      && (amounts.contains { isAmount($0, payment) } || hasFileID && amounts.allSatisfy { $0.isNotGiven })
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String {
    var text = self.drop { $0 == " " || $0 == "\r" }
    while let last = text.last, last == " " || last == "\r" { text = text.dropLast() }
    return String(text)
  }
}
