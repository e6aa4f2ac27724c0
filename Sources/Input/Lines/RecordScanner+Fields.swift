import CByteScan
import Glibc
import Records
import Text

extension RecordScanner {
  /// Scans the fields of an object into the slots from `base` on. The cursor is after the opening brace.
  ///
  /// One function serves all levels: the name table gives the slot, and the slot says whether the field is nested.
  mutating func scanFields(_ start: inout Cursor, level: FieldLevel, base: Int, depth: Int) -> Bool {
    // A local copy stays in a register.
    var cursor = unsafe start
    defer { unsafe start = unsafe cursor }
    let names = tables[level]
    var row = unsafe row(level, base)
    unsafe Self.skipSpace(&cursor)
    if unsafe cursor.pointee == UInt8(ascii: "}") {
      unsafe cursor += 1
      return true
    }
    while true {
      let name = unsafe cursor
      guard unsafe cursor.pointee == UInt8(ascii: "\"") else { return false }
      let slot = unsafe names.slot(at: &cursor)
      if unsafe !takeString(&cursor, slot: slot, into: row) {
        var rest = unsafe cursor
        guard unsafe scanField(&rest, name: name, slot: slot, level: level, base: base, depth: depth) else {
          return false
        }
        unsafe cursor = unsafe rest
        // A nested field may have moved the rows.
        unsafe row = unsafe self.row(level, base)
      }
      if unsafe Self.skipComma(&cursor) { continue }
      let isClosed = unsafe cursor.pointee == UInt8(ascii: "}")
      unsafe cursor += 1
      return isClosed
    }
  }

  /// The row of an object's slots.
  @inline(__always)
  private func row(_ level: FieldLevel, _ base: Int) -> UnsafeMutablePointer<JSONSlice> {
    switch level {
    case .record, .refund, .preapproval, .receiver, .invoice, .refundReceiver: unsafe fields + base
    case .item: unsafe items + base
    case .terms, .card, .address, .adjustment, .amounts: unsafe innerFields + base
    }
  }

  /// Takes the first value of a known field if it is a string without escapes, as most are. The cursor is after the
  /// name. Returns false, without moving the cursor, for any other field.
  @inline(__always)
  private mutating func takeString(
    _ cursor: inout Cursor, slot: Int, into row: UnsafeMutablePointer<JSONSlice>
  ) -> Bool {
    guard slot >= 0, unsafe cursor.pointee == UInt8(ascii: ":") else { return false }
    var value = unsafe cursor + 1
    unsafe Self.skipSpace(&value)
    guard unsafe value.pointee == UInt8(ascii: "\""), unsafe row[slot].kind == .absent else { return false }
    let start = unsafe value + 1
    let end = unsafe settle_string_stop(start, &highBits)
    guard unsafe end.pointee == UInt8(ascii: "\"") else { return false }
    unsafe row[slot] = unsafe JSONSlice(.string, start: start - lineStart, length: end - start)
    unsafe cursor = unsafe end + 1
    return true
  }

  /// Scans any field. The cursor is after its name, or, if `slot` is -1, at its name.
  @inline(never)
  private mutating func scanField(
    _ cursor: inout Cursor, name: Cursor, slot: Int, level: FieldLevel, base: Int, depth: Int
  ) -> Bool {
    let slot = unsafe slot < 0 ? scanUnusualName(&cursor, in: tables[level]) : slot
    unsafe Self.skipSpace(&cursor)
    guard slot >= -1, unsafe cursor.pointee == UInt8(ascii: ":") else { return false }
    unsafe cursor += 1
    unsafe Self.skipSpace(&cursor)
    guard slot >= 0 else { return unsafe scanUnknown(&cursor, name: name, place: place(level, base), depth: depth) }
    let isFirst = unsafe row(level, base)[slot].kind == .absent
    if !isFirst { hasDuplicateField = true }
    return unsafe scanKnown(&cursor, level: level, base: base, slot: slot, depth: depth, keep: isFirst)
  }

  /// A name that the table does not find as it is written: an unknown one, one with escapes, or a long one.
  ///
  /// - Returns: its slot; -1 if the object has no such field, -2 if there is no string.
  @inline(never)
  private mutating func scanUnusualName(_ cursor: inout Cursor, in names: FieldNameTable) -> Int {
    let name = unsafe scanString(&cursor)
    guard name.kind != .absent else { return -2 }
    return unsafe name.isEscaped
      ? escapedSlot(of: name, in: names) : names.slot(lineStart + Int(name.start), length: name.length)
  }

  /// Scans the value of an unknown field, and keeps its name; the name's quote is at `name`.
  @inline(never)
  private mutating func scanUnknown(
    _ cursor: inout Cursor, name: Cursor, place: UnknownField.Place, depth: Int
  ) -> Bool {
    let value = unsafe scanValue(&cursor, depth: depth + 1)
    if value.kind == .absent { return false }
    guard value.kind != .null else { return true }
    guard admits(unknownFields.count, limit: unknownFieldLimit) else { return false }
    var nameCursor = unsafe name
    unsafe unknownFields.append(UnknownField(place: place, name: scanString(&nameCursor)))
    return true
  }

  /// Scans the value of a known field, which may be nested.
  @inline(__always)
  private mutating func scanKnown(
    _ cursor: inout Cursor, level: FieldLevel, base: Int, slot: Int, depth: Int, keep: Bool
  ) -> Bool {
    let start = unsafe cursor - lineStart
    let opening = unsafe cursor.pointee
    if opening == UInt8(ascii: "[") || opening == UInt8(ascii: "{"), let inner = tables.nested(level, slot: slot).level,
      !noteInner(inner), opening == UInt8(ascii: tables.nested(level, slot: slot).isArray ? "[" : "{")
    {
      unsafe cursor += 1
      // The single shape's receiver has its own row, after the record's.
      let row = level == .record && slot >= FieldRow.recordWidth ? FieldRow.receiver(0) : base
      let firstItem = itemCount
      let isRead =
        switch inner {
        case .record, .refund, .preapproval, .terms, .card, .address, .adjustment, .amounts:
          preconditionFailure("these objects are not read with the record")
        case .receiver, .refundReceiver: unsafe scanReceivers(&cursor, level: inner, depth: depth + 1)
        case .invoice: unsafe scanFields(&cursor, level: .invoice, base: row, depth: depth + 1)
        case .item: unsafe scanItems(&cursor, row: Self.receiverRow(at: base), depth: depth + 1)
        }
      guard isRead else { return false }
      guard keep else { return true }
      unsafe fields[base + slot] = unsafe JSONSlice(
        opening == UInt8(ascii: "[") ? .array : .object, start: start, length: cursor - lineStart - start)
      if inner == .item {
        unsafe fields[base + FieldRow.items] = JSONSlice(.array, start: firstItem, length: itemCount - firstItem)
      }
    } else {
      let value = unsafe scanValue(&cursor, depth: depth + 1)
      if value.kind == .absent { return false }
      guard keep else { return true }
      unsafe row(level, base)[slot] = value
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
  private mutating func scanReceivers(_ cursor: inout Cursor, level: FieldLevel, depth: Int) -> Bool {
    unsafe scanElements(&cursor, depth: depth, row: -1) { scanner, cursor, index in
      let row = scanner.rowCount
      guard scanner.reserveRow() else { return false }
      let base = FieldRow.receiver(row)
      unsafe Self.clearRow(scanner.fields + base)
      unsafe scanner.fields[base + FieldRow.receiverIndex] = JSONSlice(.number, start: index, length: 0)
      scanner.rowCount = row + 1
      return unsafe scanner.scanFields(&cursor, level: level, base: base, depth: depth + 1)
    }
  }

  /// Scans the elements of an `invoiceItems`. The cursor is after the bracket.
  private mutating func scanItems(_ cursor: inout Cursor, row: Int, depth: Int) -> Bool {
    unsafe scanElements(&cursor, depth: depth, row: row) { scanner, cursor, index in
      let item = scanner.itemCount
      guard scanner.reserveItem() else { return false }
      let base = item * FieldRow.itemWidth
      unsafe UnsafeMutableRawPointer(scanner.items + base).storeBytes(of: SIMD8<UInt64>.zero, as: SIMD8<UInt64>.self)
      // The receiver's row is kept with the index; unknown fields need it.
      unsafe scanner.items[base + FieldRow.itemIndex] = JSONSlice(.number, start: index, length: row)
      scanner.itemCount = item + 1
      return unsafe scanner.scanFields(&cursor, level: .item, base: base, depth: depth + 1)
    }
  }

  @inline(__always)
  private mutating func scanElements(
    _ cursor: inout Cursor, depth: Int, row: Int,
    object: (inout RecordScanner, inout Cursor, _ index: Int) -> Bool
  ) -> Bool {
    unsafe Self.skipSpace(&cursor)
    if unsafe cursor.pointee == UInt8(ascii: "]") {
      unsafe cursor += 1
      return true
    }
    var index = 0
    while true {
      if unsafe cursor.pointee == UInt8(ascii: "{") {
        unsafe cursor += 1
        guard unsafe object(&self, &cursor, index) else { return false }
      } else {
        let value = unsafe scanValue(&cursor, depth: depth + 1)
        if value.kind == .absent { return false }
        guard admits(strays.count, limit: widthLimit) else { return false }
        noteStray(StrayElement(row: row, index: index, slice: value))
      }
      index += 1
      if unsafe Self.skipComma(&cursor) { continue }
      defer { unsafe cursor += 1 }
      return unsafe cursor.pointee == UInt8(ascii: "]")
    }
  }

  private mutating func noteStray(_ stray: StrayElement) {
    strays.append(stray)
    if stray.row < 0 {
      hasStrayReceivers = true
    } else {
      let slot = FieldRow.receiver(stray.row) + FieldRow.strayItems
      let earlier = unsafe fields[slot]
      unsafe fields[slot] = JSONSlice(
        .array, start: earlier.kind == .absent ? strays.count - 1 : Int(earlier.start), length: earlier.length + 1)
    }
  }

  @inline(never)
  private func escapedSlot(of name: JSONSlice, in names: FieldNameTable) -> Int {
    // The longest name has 28 characters; each may be written as an escape of six.
    guard name.length <= 6 * 28 else { return -1 }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.length + 18) { buffer in
      let bytes = unsafe buffer.baseAddress! + 1
      let characters = UTF8Text.unescaped(self[name])
      let length = characters.count
      for place in characters.indices { unsafe bytes[place] = characters[place] }
      unsafe memset(bytes + length, 0, 16)
      unsafe bytes[-1] = UInt8(ascii: "\"")
      unsafe bytes[length] = UInt8(ascii: "\"")
      return unsafe names.slot(bytes, length: length)
    }
  }

  private func place(_ level: FieldLevel, _ base: Int) -> UnknownField.Place {
    switch level {
    case .record, .refund, .preapproval: return .record
    case .receiver, .refundReceiver: return .receiver(row: Self.receiverRow(at: base))
    case .invoice: return .invoice(row: Self.receiverRow(at: base))
    case .item: return unsafe .item(base / FieldRow.itemWidth, row: items[base + FieldRow.itemIndex].length)
    case .terms, .card, .address, .adjustment, .amounts:
      let row = base / FieldRow.innerWidth
      return .inner(innerObjects[row].path, row: row)
    }
  }

  /// Makes room for a row; false if the record is too wide for this scanner.
  @inline(__always)
  private mutating func reserveRow() -> Bool {
    if rowCount == rowCapacity {
      guard admits(rowCount, limit: widthLimit) else { return false }
      rowCapacity *= 2
      unsafe fields = unsafe Self.slots(FieldRow.receiver(rowCapacity), replacing: fields)
    }
    return true
  }

  /// Makes room for an item; false if the record is too wide for this scanner.
  @inline(__always)
  private mutating func reserveItem() -> Bool {
    if itemCount == itemCapacity {
      guard admits(itemCount, limit: widthLimit) else { return false }
      itemCapacity *= 2
      unsafe items = unsafe Self.slots(itemCapacity * FieldRow.itemWidth, replacing: items)
    }
    return true
  }

  /// Whether a record may have more than `count` parts of a kind.
  mutating func admits(_ count: Int, limit: Int) -> Bool {
    if count >= limit { isTooWide = true }
    return !isTooWide
  }
}
