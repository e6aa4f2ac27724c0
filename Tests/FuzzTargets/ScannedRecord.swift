import Input
import JSON
import Records
import Text

/// Everything that the scanner keeps of a record, as text: made from a scanner, or, as expected, from a tree.
struct ScannedRecord {
  /// The fields by their places, such as `1/recipient` for the second receiver, with their values.
  var fields: [String: String] = [:]
  /// Unknown fields, and elements that are not objects, in order.
  var unknown: [String] = []
  var strays: [String] = []
  /// The rows of receivers and items, sorted.
  var rows: [String] = []
  var hasDuplicateField = false
  /// Objects that are read once the whole record is known to be JSON: their fields, names and place.
  private var inner: [(fields: Fields, table: Set<String>, place: String)] = []

  /// If a record has a field twice, nothing else is compared.
  func compare(with other: ScannedRecord) throws(Disagreement) {
    try require(hasDuplicateField == other.hasDuplicateField, "a field twice: \(other.hasDuplicateField)")
    guard !hasDuplicateField else { return }
    try require(rows == other.rows, "the rows are \(other.rows), not \(rows)")
    for place in Set(fields.keys).union(other.fields.keys).sorted() where fields[place] != other.fields[place] {
      throw Disagreement(
        words: "\(place) is \(other.fields[place] ?? "absent"), not \(fields[place] ?? "absent")")
    }
    try require(unknown == other.unknown, "unknown fields: \(other.unknown), not \(unknown)")
    try require(strays == other.strays, "strays: \(other.strays), not \(strays)")
  }
}

/// The fields of `batch.md` at each level.
private enum Known {
  static let record: Set = [
    "type", "batchId", "createdAt", "recordCount", "totals", "payKey", "status", "paymentCurrency", "feePayer",
    "sender", "senderCountry", "fundingSource", "memo", "ipnUrl", "card", "receiverPaymentDetails",
    "splitProfile", "splitTotal", "shippingAddress", "amountErrorCode", "adjustedAmounts", "pinVerified",
    "preapprovalKey", "refundTotals",
  ]
  private static let shared: Set = [
    "recipient", "country", "paymentType", "paymentSubType", "invoiceData", "description", "customId", "merchantName",
  ]
  static let single = shared.union(["subTotal"])
  static let receiver = shared.union(["subtotal", "isPrimary", "split", "keep"])
  static let terms: Set = ["percent", "share", "min", "max"]
  static let card: Set = ["cardNumber", "cvv2", "entry", "expirationDate", "postalCode"]
  static let address: Set = [
    "name", "street1", "street2", "city", "state", "postalcode", "country", "countrycode",
  ]
  static let adjustment: Set = ["amounts", "recipient"]
  static let amounts: Set = ["currency", "payment_amount", "tax", "shipping"]
  static let invoice: Set = ["totalTax", "totalShipping", "invoiceItems"]
  static let item: Set = ["name", "itemId", "itemPrice", "itemCount", "totalPrice"]

  /// Compares names as bytes: some different names are equal as strings, such as those with the Kelvin sign for a K.
  static func field(_ name: [UInt8], in table: Set<String>) -> String? {
    guard name.allSatisfy({ $0 < 0x80 }) else { return nil }
    let name = String(decoding: name, as: UTF8.self)
    return table.contains(name) ? name : nil
  }
}

extension ScannedRecord {
  // MARK: From the scanner

  init(_ scanner: borrowing RecordScanner) {
    let line = scanner.line
    hasDuplicateField = scanner.hasDuplicateField
    guard !hasDuplicateField else { return }
    for field in RecordField.allCases where field.singleShapeField == nil {
      fields["record/\(field)"] = Self.spelled(scanner.field(field), line)
    }
    for field in CardField.allCases where scanner.field(.card).kind == .object {
      take(scanner.cardField(field), field, "/card", line)
    }
    for field in AddressField.allCases where scanner.field(.shippingAddress).kind == .object {
      take(scanner.addressField(field), field, "/shippingAddress", line)
    }
    if scanner.field(.adjustedAmounts).kind == .object {
      takeAmounts(scanner.field(.adjustedAmounts), "/adjustedAmounts", scanner, line)
    }
    for (index, element) in scanner.adjustments.enumerated() {
      let place = "/adjustedAmounts/\(index)"
      fields[place] = Self.spelled(element, line)
      guard element.kind == .object else { continue }
      for field in AdjustmentField.allCases {
        take(scanner.adjustmentField(field, of: element), field, place, line)
      }
      let amounts = scanner.adjustmentField(.amounts, of: element)
      if amounts.kind == .object { takeAmounts(amounts, "\(place)/amounts", scanner, line) }
    }
    for row in 0..<scanner.rowCount {
      rows.append(row == 0 ? "single" : "receiver \(scanner.receiverIndex(row: row))")
      for field in ReceiverField.allCases {
        fields["\(row)/\(field)"] = Self.spelled(scanner.receiverField(field, row: row), line)
      }
      for terms in [ReceiverField.split, .keep] where scanner.receiverField(terms, row: row).kind == .object {
        for field in TermsField.allCases {
          take(
            scanner.termsField(field, of: scanner.receiverField(terms, row: row)), field,
            "/receiverPaymentDetails/\(scanner.receiverIndex(row: row))/\(terms)", line)
        }
      }
      for field in InvoiceField.allCases {
        fields["\(row)/\(field)"] = Self.spelled(scanner.invoiceField(field, row: row), line)
      }
      for item in scanner.itemRows(row: row) {
        rows.append("item \(scanner.itemIndex(item)) of \(row)")
        for field in ItemField.allCases {
          fields["\(row)/\(scanner.itemIndex(item))/\(field)"] = Self.spelled(
            scanner.itemField(field, item: item), line)
        }
      }
      for stray in scanner.strays[scanner.strayItems(row: row)] where stray.row != row {
        rows.append("a stray of \(stray.row) is told of \(row)")
      }
    }
    rows.sort()
    strays = scanner.strays.map { "\($0.row)/\($0.index) \(Self.spelled($0.slice, line) ?? "absent")" }
    for field in scanner.unknownFields {
      let place =
        switch field.place {
        case .record: "record"
        case .receiver(let row): "receiver \(row)"
        case .invoice(let row): "invoice \(row)"
        case .item(let item, let row): "item \(scanner.itemIndex(item)) of \(row)"
        case .inner(let path, _): Self.pointer(path)
        }
      unknown.append("\(place): \(Self.spelled(field.name, line) ?? "absent")")
    }
  }

  private mutating func takeAmounts(
    _ amounts: JSONSlice, _ place: String, _ scanner: borrowing RecordScanner, _ line: Span<UInt8>
  ) {
    for field in AmountsField.allCases { take(scanner.amountsField(field, of: amounts), field, place, line) }
  }

  private mutating func take(
    _ slice: JSONSlice, _ field: some LevelField, _ place: String, _ line: Span<UInt8>
  ) {
    fields["\(place)/\(field.definition.name)"] = Self.spelled(slice, line)
  }

  private static func pointer(_ path: FieldPath) -> String {
    var text = TextBuffer()
    path.write(to: &text)
    return text.string
  }

  private static func spelled(_ slice: JSONSlice, _ line: Span<UInt8>) -> String? {
    let written = Array(slice.text(in: line))
    switch slice.kind {
    case .absent: return nil
    case .null, .yes, .no, .number: return shown(written)
    case .string:
      guard slice.isEscaped else { return "'" + shown(written) }
      return "'" + shown(UTF8Text.unescaped(written.span))
    case .object, .array:
      // The place must contain exactly the value.
      return (try? JSONTree(parsing: written)).map(Self.spelled) ?? "no value: \(shown(written))"
    }
  }

  // MARK: As expected, from the tree

  typealias Fields = [(name: [UInt8], value: JSONTree)]

  init(expecting record: Fields) {
    rows = ["single"]
    walk(record, Known.record.union(Known.single), "record") { known, field, value in
      if Known.single.contains(field) {
        known.fields["0/\(field == "subTotal" ? "subtotal" : field)"] = Self.spelled(value)
      } else {
        known.fields["record/\(field)"] = Self.spelled(value)
      }
      if field == "receiverPaymentDetails", case .array(let elements) = value { known.walkReceivers(elements) }
      if field == "invoiceData", case .object(let invoice) = value { known.walkInvoice(invoice, row: 0) }
      if field == "card" { known.noteInner(value, Known.card, "/card") }
      if field == "shippingAddress" { known.noteInner(value, Known.address, "/shippingAddress") }
      if field == "adjustedAmounts" { known.noteAdjustments(value) }
    }
    rows.sort()
    for object in inner {
      walk(object.fields, object.table, object.place) { known, field, value in
        known.fields["\(object.place)/\(field)"] = Self.spelled(value)
      }
    }
  }

  private mutating func noteInner(_ value: JSONTree, _ table: Set<String>, _ place: String) {
    if case .object(let fields) = value { inner.append((fields, table, place)) }
  }

  private mutating func noteAdjustments(_ value: JSONTree) {
    noteInner(value, Known.amounts, "/adjustedAmounts")
    guard case .array(let elements) = value else { return }
    for (index, element) in elements.enumerated() {
      let place = "/adjustedAmounts/\(index)"
      fields[place] = Self.spelled(element)
      noteInner(element, Known.adjustment, place)
      if let amounts = element["amounts"] { noteInner(amounts, Known.amounts, "\(place)/amounts") }
    }
  }

  private mutating func walk(
    _ object: Fields, _ table: Set<String>, _ place: String, _ take: (inout Self, _ field: String, JSONTree) -> Void
  ) {
    var seen: Set<String> = []
    for (name, value) in object {
      if let field = Known.field(name, in: table) {
        if !seen.insert(field).inserted { hasDuplicateField = true }
        take(&self, field, value)
      } else if Self.spelled(value) != "null" {
        unknown.append("\(place): '\(shown(name))")
      }
    }
  }

  private mutating func walkReceivers(_ elements: [JSONTree]) {
    var row = 0
    for (index, element) in elements.enumerated() {
      guard case .object(let receiver) = element else {
        strays.append("-1/\(index) \(Self.spelled(element))")
        continue
      }
      row += 1
      rows.append("receiver \(index)")
      let this = row
      walk(receiver, Known.receiver, "receiver \(row)") { known, field, value in
        known.fields["\(this)/\(field)"] = Self.spelled(value)
        if field == "invoiceData", case .object(let invoice) = value {
          known.walkInvoice(invoice, row: this)
        }
        if field == "split" || field == "keep" {
          known.noteInner(value, Known.terms, "/receiverPaymentDetails/\(index)/\(field)")
        }
      }
    }
  }

  private mutating func walkInvoice(_ invoice: Fields, row: Int) {
    walk(invoice, Known.invoice, "invoice \(row)") { known, field, value in
      known.fields["\(row)/\(field)"] = Self.spelled(value)
      guard field == "invoiceItems", case .array(let elements) = value else { return }
      for (index, element) in elements.enumerated() {
        guard case .object(let item) = element else {
          known.strays.append("\(row)/\(index) \(Self.spelled(element))")
          continue
        }
        known.rows.append("item \(index) of \(row)")
        known.walk(item, Known.item, "item \(index) of \(row)") { known, field, value in
          known.fields["\(row)/\(index)/\(field)"] = Self.spelled(value)
        }
      }
    }
  }

  private static func spelled(_ tree: JSONTree) -> String {
    switch tree {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let digits): shown(digits)
    case .string(let characters): "'" + shown(characters)
    case .array(let elements): "[" + elements.map(spelled).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.map { "'" + shown($0.name) + ":" + spelled($0.value) }.joined(separator: ",") + "}"
    }
  }
}
