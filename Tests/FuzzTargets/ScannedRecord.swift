import BatchFile

/// All that the scanner keeps of a record, spelled out: made of a scanner, or of a tree as it should be.
struct ScannedRecord {
  /// A field by its place, such as `1/recipient` of the second receiver, and its value.
  var fields: [String: String] = [:]
  /// Unknown fields and elements that are no objects, in order.
  var unknown: [String] = []
  var strays: [String] = []
  /// The rows of receivers and items, sorted.
  var rows: [String] = []
  var hasDuplicateField = false

  /// Where a record has a field twice, nothing but that is said of it.
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

/// The fields of `batch.md` at each level, by name.
private enum Known {
  static let record: [String: Int] = [
    "type": RecordField.type, "batchId": RecordField.batchId, "createdAt": RecordField.createdAt,
    "recordCount": RecordField.recordCount, "totals": RecordField.totals, "payKey": RecordField.payKey,
    "status": RecordField.status, "paymentCurrency": RecordField.paymentCurrency, "feePayer": RecordField.feePayer,
    "sender": RecordField.sender, "senderCountry": RecordField.senderCountry,
    "fundingSource": RecordField.fundingSource, "memo": RecordField.memo, "ipnUrl": RecordField.ipnUrl,
    "receiverPaymentDetails": RecordField.receiverPaymentDetails,
  ]
  private static let shared: [String: Int] = [
    "recipient": ReceiverField.recipient, "country": ReceiverField.country, "paymentType": ReceiverField.paymentType,
    "paymentSubType": ReceiverField.paymentSubType, "invoiceData": ReceiverField.invoiceData,
    "description": ReceiverField.description, "customId": ReceiverField.customId,
    "merchantName": ReceiverField.merchantName,
  ]
  static let single = shared.merging(["subTotal": ReceiverField.subtotal]) { $1 }
  static let receiver = shared.merging(
    ["subtotal": ReceiverField.subtotal, "isPrimary": ReceiverField.isPrimary]
  ) { $1 }
  static let invoice: [String: Int] = [
    "totalTax": ReceiverField.totalTax, "totalShipping": ReceiverField.totalShipping,
    "invoiceItems": ReceiverField.invoiceItems,
  ]
  static let item: [String: Int] = [
    "name": ItemField.name, "itemId": ItemField.itemId, "itemPrice": ItemField.itemPrice,
    "itemCount": ItemField.itemCount, "totalPrice": ItemField.totalPrice,
  ]

  /// Names are bytes: as strings some are equal that differ, such as those with the Kelvin sign for a K.
  static func slot(_ name: [UInt8], in table: [String: Int]) -> Int? {
    guard name.allSatisfy({ $0 < 0x80 }) else { return nil }
    return table[String(decoding: name, as: UTF8.self)]
  }
}

extension ScannedRecord {
  // MARK: As the scanner has it

  init(_ scanner: borrowing RecordScanner, line: UnsafePointer<UInt8>) {
    hasDuplicateField = scanner.hasDuplicateField
    guard !hasDuplicateField else { return }
    for slot in Known.record.values { fields["record/\(slot)"] = Self.spelled(scanner.field(slot), line) }
    for row in 0..<scanner.rowCount {
      rows.append(row == 0 ? "single" : "receiver \(scanner.receiverIndex(row: row))")
      for slot in 0...ReceiverField.invoiceItems {
        fields["\(row)/\(slot)"] = Self.spelled(scanner.receiverField(slot, row: row), line)
      }
      for item in scanner.itemRows(row: row) {
        rows.append("item \(scanner.itemIndex(item)) of \(row)")
        for slot in Known.item.values {
          fields["\(row)/\(scanner.itemIndex(item))/\(slot)"] = Self.spelled(scanner.itemField(slot, item: item), line)
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
        }
      unknown.append("\(place): \(Self.spelled(field.name, line) ?? "absent")")
    }
  }

  private static func spelled(_ slice: JSONSlice, _ line: UnsafePointer<UInt8>) -> String? {
    let written = Array(UnsafeBufferPointer(start: line + Int(slice.start), count: slice.length))
    switch slice.kind {
    case .absent: return nil
    case .null, .yes, .no, .number: return shown(written)
    case .string:
      guard slice.isEscaped else { return "'" + shown(written) }
      let characters = [UInt8](unsafeUninitializedCapacity: written.count) { text, count in
        count = UTF8Text.unescape(written, count: written.count, into: text.baseAddress!)
      }
      return "'" + shown(characters)
    case .object, .array:
      // The place must hold exactly the value.
      return (try? JSONTree(parsing: written)).map(Self.spelled) ?? "no value: \(shown(written))"
    }
  }

  // MARK: As the tree says it should be

  typealias Fields = [(name: [UInt8], value: JSONTree)]

  init(expecting record: Fields) {
    rows = ["single"]
    walk(record, Known.record.merging(Known.single.mapValues { $0 + 16 }) { $1 }, "record") { known, slot, value in
      if slot < 16 { known.fields["record/\(slot)"] = Self.spelled(value) }
      if slot >= 16 { known.fields["0/\(slot - 16)"] = Self.spelled(value) }
      if slot == RecordField.receiverPaymentDetails, case .array(let elements) = value {
        known.walkReceivers(elements)
      } else if slot == 16 + ReceiverField.invoiceData, case .object(let invoice) = value {
        known.walkInvoice(invoice, row: 0)
      }
    }
    rows.sort()
  }

  private mutating func walk(
    _ object: Fields, _ table: [String: Int], _ place: String, _ take: (inout Self, _ slot: Int, JSONTree) -> Void
  ) {
    var seen: Set<Int> = []
    for (name, value) in object {
      if let slot = Known.slot(name, in: table) {
        if !seen.insert(slot).inserted { hasDuplicateField = true }
        take(&self, slot, value)
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
      walk(receiver, Known.receiver, "receiver \(row)") { known, slot, value in
        known.fields["\(this)/\(slot)"] = Self.spelled(value)
        if slot == ReceiverField.invoiceData, case .object(let invoice) = value {
          known.walkInvoice(invoice, row: this)
        }
      }
    }
  }

  private mutating func walkInvoice(_ invoice: Fields, row: Int) {
    walk(invoice, Known.invoice, "invoice \(row)") { known, slot, value in
      known.fields["\(row)/\(slot)"] = Self.spelled(value)
      guard slot == ReceiverField.invoiceItems, case .array(let elements) = value else { return }
      for (index, element) in elements.enumerated() {
        guard case .object(let item) = element else {
          known.strays.append("\(row)/\(index) \(Self.spelled(element))")
          continue
        }
        known.rows.append("item \(index) of \(row)")
        known.walk(item, Known.item, "item \(index) of \(row)") { known, slot, value in
          known.fields["\(row)/\(index)/\(slot)"] = Self.spelled(value)
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
