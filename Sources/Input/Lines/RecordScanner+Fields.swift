import Records
import Text

extension RecordScanner {
  /// Scans the fields of an object into the slots from `base` on. The cursor is after the opening brace.
  ///
  /// One function serves all levels: the name table gives the slot, and the slot says whether the field is nested.
  mutating func scanFields(_ start: inout LineCursor, level: FieldLevel, base: Int, depth: Int) -> Bool {
    // A local copy stays in a register.
    var cursor = start
    defer { start = cursor }
    let names = tables[level]
    let order = orders[level]
    var earlier = FieldNameTable.beginning
    var row = row(level, base)
    cursor.skipSpace()
    if cursor.skip(UInt8(ascii: "}")) { return true }
    while cursor.byte == UInt8(ascii: "\"") {
      repeat {
        let name = cursor
        let slot = names.slot(at: &cursor, after: &earlier, order)
        if !readString(&cursor, slot: slot, into: row), !readScalar(&cursor, slot: slot, into: row) {
          var rest = cursor
          guard scanField(&rest, name: name, slot: slot, level: level, base: base, depth: depth) else { return false }
          cursor = rest
          // A nested field may have moved the rows.
          row = self.row(level, base)
        }
        // Most batches have no space between fields.
      } while cursor.skipToQuote(after: UInt8(ascii: ","))
      if cursor.skipComma() { continue }
      return cursor.skip(UInt8(ascii: "}"))
    }
    return false
  }

  /// The row of an object's slots.
  @inline(__always)
  private func row(_ level: FieldLevel, _ base: Int) -> SlotRow {
    switch level {
    case .record, .refund, .preapproval, .receiver, .invoice, .refundReceiver: fields.row(at: base)
    case .item: items.row(at: base)
    case .terms, .card, .address, .adjustment, .amounts: innerFields.row(at: base)
    }
  }

  /// Reads the first value of a known field if it is a string without escapes, as most are. The cursor is after the
  /// name. Returns false, without moving the cursor, for any other field.
  @inline(__always)
  private mutating func readString(_ cursor: inout LineCursor, slot: Int, into row: SlotRow) -> Bool {
    guard SlotRow.has(slot), row[slot].kind == .absent else { return false }
    var value = cursor
    if !value.skipQuote(after: UInt8(ascii: ":")) {
      guard value.skip(UInt8(ascii: ":")) else { return false }
      value.skipSpace()
      guard value.skip(UInt8(ascii: "\"")) else { return false }
    }
    let start = value
    value.skipCharacters(&highBits)
    let end = value
    guard value.skip(UInt8(ascii: "\"")) else { return false }
    row[slot] = JSONSlice(.string, start: scanned.offset(of: start), length: end.distance(from: start))
    cursor = value
    return true
  }

  /// Reads the first value of a known field if it is a number or a literal that follows the colon at once. Returns
  /// false, without moving the cursor, for any other field.
  @inline(__always)
  private mutating func readScalar(_ cursor: inout LineCursor, slot: Int, into row: SlotRow) -> Bool {
    guard SlotRow.has(slot), row[slot].kind == .absent else { return false }
    var start = cursor
    guard start.skip(UInt8(ascii: ":")) else { return false }
    var end = start
    // Most counts have one digit.
    var value = JSONSlice(.number, start: scanned.offset(of: start), length: 1)
    if !end.skipShortNumber() {
      (value, end) = scalar(at: start)
      guard value.kind != .absent else { return false }
    }
    row[slot] = value
    cursor = end
    return true
  }

  /// Scans any field. The cursor is after its name, or, if `slot` is -1, at its name.
  @inline(never)
  private mutating func scanField(
    _ cursor: inout LineCursor, name: LineCursor, slot: Int, level: FieldLevel, base: Int, depth: Int
  ) -> Bool {
    let slot = slot < 0 ? scanUnusualName(&cursor, in: tables[level]) : slot
    cursor.skipSpace()
    guard slot >= -1, cursor.skip(UInt8(ascii: ":")) else { return false }
    cursor.skipSpace()
    guard slot >= 0 else { return scanUnknown(&cursor, name: name, place: place(level, base), depth: depth) }
    let isFirst = row(level, base)[slot].kind == .absent
    if !isFirst { hasDuplicateField = true }
    return scanKnown(&cursor, level: level, base: base, slot: slot, depth: depth, keep: isFirst)
  }

  /// A name that the table does not find as it is written: an unknown one, one with escapes, or a long one.
  ///
  /// - Returns: its slot; -1 if the object has no such field, -2 if there is no string.
  @inline(never)
  private mutating func scanUnusualName(_ cursor: inout LineCursor, in names: FieldNameTable) -> Int {
    let name = scanString(&cursor)
    guard name.kind != .absent else { return -2 }
    return name.isEscaped ? names.slot(of: UTF8Text.unescaped(self[name]).span) : names.slot(of: self[name])
  }

  /// Scans the value of an unknown field, and keeps its name; the name's quote is at `name`.
  @inline(never)
  private mutating func scanUnknown(
    _ cursor: inout LineCursor, name: LineCursor, place: UnknownField.Place, depth: Int
  ) -> Bool {
    let value = scanValue(&cursor, depth: depth + 1)
    if value.kind == .absent { return false }
    guard value.kind != .null else { return true }
    guard admits(unknownFields.count, limit: unknownFieldLimit) else { return false }
    var nameCursor = name
    unknownFields.append(UnknownField(place: place, name: scanString(&nameCursor), value: value))
    return true
  }

  /// Scans the value of a known field, which may be nested.
  @inline(__always)
  private mutating func scanKnown(
    _ cursor: inout LineCursor, level: FieldLevel, base: Int, slot: Int, depth: Int, keep: Bool
  ) -> Bool {
    let start = cursor
    let opening = cursor.byte
    if opening == UInt8(ascii: "[") || opening == UInt8(ascii: "{"), let inner = tables.nested(level, slot: slot).level,
      !noteInner(inner), opening == UInt8(ascii: tables.nested(level, slot: slot).isArray ? "[" : "{")
    {
      cursor.skip(opening)
      // The single shape's receiver has its own row, after the record's.
      let row = level == .record && slot >= FieldRow.recordWidth ? FieldRow.receiver(0) : base
      let firstItem = itemCount
      let isRead =
        switch inner {
        case .record, .refund, .preapproval, .terms, .card, .address, .adjustment, .amounts:
          preconditionFailure("these objects are not read with the record")
        case .receiver, .refundReceiver: scanReceivers(&cursor, level: inner, depth: depth + 1)
        case .invoice: scanFields(&cursor, level: .invoice, base: row, depth: depth + 1)
        case .item: scanItems(&cursor, row: Self.receiverRow(at: base), depth: depth + 1)
        }
      guard isRead else { return false }
      guard keep else { return true }
      fields[base + slot] = JSONSlice(
        opening == UInt8(ascii: "[") ? .array : .object, start: scanned.offset(of: start),
        length: cursor.distance(from: start))
      if inner == .item {
        fields[base + FieldRow.items] = JSONSlice(.array, start: firstItem, length: itemCount - firstItem)
      }
    } else {
      let value = scanValue(&cursor, depth: depth + 1)
      if value.kind == .absent { return false }
      guard keep else { return true }
      row(level, base)[slot] = value
    }
    return true
  }

  /// Whether objects of a level are read later, once the whole record is known to be JSON (`readInnerObjects`).
  private mutating func noteInner(_ level: FieldLevel) -> Bool {
    guard level.rawValue >= FieldLevel.terms.rawValue else { return false }
    hasInnerObjects = true
    return true
  }

  /// The receiver row that begins at a slot.
  private static func receiverRow(at base: Int) -> Int { (base - FieldRow.recordWidth) / FieldRow.receiverWidth }

  /// Scans the elements of `receiverPaymentDetails`, or of a refund's `receivers`. The cursor is after the bracket.
  private mutating func scanReceivers(_ cursor: inout LineCursor, level: FieldLevel, depth: Int) -> Bool {
    scanElements(&cursor, depth: depth, row: -1) { scanner, cursor, index in
      let row = scanner.rowCount
      guard scanner.reserveRow() else { return false }
      let base = FieldRow.receiver(row)
      scanner.clearReceiver(row)
      scanner.fields[base + FieldRow.receiverIndex] = JSONSlice(.number, start: index, length: 0)
      scanner.rowCount = row + 1
      return scanner.scanFields(&cursor, level: level, base: base, depth: depth + 1)
    }
  }

  /// Scans the elements of an `invoiceItems`. The cursor is after the bracket.
  private mutating func scanItems(_ cursor: inout LineCursor, row: Int, depth: Int) -> Bool {
    scanElements(&cursor, depth: depth, row: row) { scanner, cursor, index in
      let item = scanner.itemCount
      guard scanner.reserveItem() else { return false }
      let base = item * FieldRow.itemWidth
      scanner.items.clear(base, width: FieldRow.itemWidth)
      // The receiver's row is kept with the index; unknown fields need it.
      scanner.items[base + FieldRow.itemIndex] = JSONSlice(.number, start: index, length: row)
      scanner.itemCount = item + 1
      return scanner.scanFields(&cursor, level: .item, base: base, depth: depth + 1)
    }
  }

  @inline(__always)
  private mutating func scanElements(
    _ cursor: inout LineCursor, depth: Int, row: Int,
    object: (inout RecordScanner, inout LineCursor, _ index: Int) -> Bool
  ) -> Bool {
    cursor.skipSpace()
    if cursor.skip(UInt8(ascii: "]")) { return true }
    var index = 0
    while true {
      if cursor.skip(UInt8(ascii: "{")) {
        guard object(&self, &cursor, index) else { return false }
      } else {
        let value = scanValue(&cursor, depth: depth + 1)
        if value.kind == .absent { return false }
        guard admits(strays.count, limit: widthLimit) else { return false }
        noteStray(StrayElement(row: row, index: index, slice: value))
      }
      index += 1
      if cursor.skipComma() { continue }
      return cursor.skip(UInt8(ascii: "]"))
    }
  }

  private mutating func noteStray(_ stray: StrayElement) {
    strays.append(stray)
    if stray.row < 0 {
      hasStrayReceivers = true
    } else {
      let slot = FieldRow.receiver(stray.row) + FieldRow.strayItems
      let earlier = fields[slot]
      fields[slot] = JSONSlice(
        .array, start: earlier.kind == .absent ? strays.count - 1 : Int(earlier.start), length: earlier.length + 1)
    }
  }

  private func place(_ level: FieldLevel, _ base: Int) -> UnknownField.Place {
    switch level {
    case .record, .refund, .preapproval: return .record
    case .receiver, .refundReceiver: return .receiver(row: Self.receiverRow(at: base))
    case .invoice: return .invoice(row: Self.receiverRow(at: base))
    case .item: return .item(base / FieldRow.itemWidth, row: items[base + FieldRow.itemIndex].length)
    case .terms, .card, .address, .adjustment, .amounts:
      let row = base / FieldRow.innerWidth
      return .inner(innerObjects[row].path, row: row)
    }
  }

  /// Makes room for a row; false if the record is too wide for this scanner.
  @inline(__always)
  private mutating func reserveRow() -> Bool {
    if FieldRow.receiver(rowCount) == fields.count {
      guard admits(rowCount, limit: widthLimit) else { return false }
      fields.grow(to: FieldRow.receiver(2 * rowCount))
    }
    return true
  }

  /// Makes room for an item; false if the record is too wide for this scanner.
  @inline(__always)
  private mutating func reserveItem() -> Bool {
    if itemCount * FieldRow.itemWidth == items.count {
      guard admits(itemCount, limit: widthLimit) else { return false }
      items.grow(to: 2 * items.count)
    }
    return true
  }

  /// Whether a record may have more than `count` parts of a kind.
  mutating func admits(_ count: Int, limit: Int) -> Bool {
    if count >= limit { isTooWide = true }
    return !isTooWide
  }
}
