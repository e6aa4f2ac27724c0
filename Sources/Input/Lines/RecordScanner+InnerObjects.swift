import Records

/// An object with fields of its own that few records have.
struct InnerObject {
  /// Its offset in the line.
  let start: UInt32
  let path: FieldPath
}

/// Objects that few records have: the terms of splits, the card, the shipping address, adjusted amounts. A record
/// without them costs nothing extra.
extension RecordScanner {
  /// Reads the fields of such objects, after the whole line is known to be JSON.
  @inline(never)
  mutating func readInnerObjects() {
    if innerFields.count > Self.keptRows * FieldRow.innerWidth { innerFields = SlotRows(count: 0) }
    var found: [(slice: JSONSlice, level: FieldLevel, path: FieldPath)] = []
    found.reserveCapacity(min(rowCount + 3, Self.keptRows))
    found.append((field(.card), .card, .top(.card)))
    found.append((field(.shippingAddress), .address, .top(.shippingAddress)))
    found.append((field(.adjustedAmounts), .amounts, .top(.adjustedAmounts)))
    for row in 1..<rowCount {
      for field in [ReceiverField.split, .keep] {
        let slice = receiverField(field, row: row)
        if slice.kind == .object {
          found.append((slice, .terms, .receiver(receiverIndex(row: row)).receiverField(field)))
        }
      }
    }
    found.sort { $0.slice.start < $1.slice.start }
    for (slice, level, path) in found {
      if slice.kind == .object {
        readInner(slice, level, path)
      } else if slice.kind == .array, level == .amounts {
        readAdjustments(slice)
      }
    }
  }

  /// Reads the elements of `adjustedAmounts`, and the amounts of each.
  private mutating func readAdjustments(_ array: JSONSlice) {
    var cursor = scanned.cursor(at: Int(array.start))
    cursor.skip(UInt8(ascii: "["))
    cursor.skipSpace()
    while cursor.byte != UInt8(ascii: "]") {
      let element = scanValue(&cursor, depth: 1)
      let path = FieldPath.adjustment(adjustments.count)
      guard admits(adjustments.count, limit: widthLimit) else { return }
      adjustments.append(element)
      if element.kind == .object {
        readInner(element, .adjustment, path)
        let amounts = adjustmentField(.amounts, of: element)
        if amounts.kind == .object { readInner(amounts, .amounts, path.adjustmentField(.amounts)) }
      }
      _ = cursor.skipComma()
    }
  }

  private mutating func readInner(_ object: JSONSlice, _ level: FieldLevel, _ path: FieldPath) {
    guard admits(innerObjects.count, limit: widthLimit) else { return }
    let base = innerObjects.count * FieldRow.innerWidth
    innerObjects.append(InnerObject(start: object.start, path: path))
    if base == innerFields.count { innerFields.grow(to: 8 * (base + FieldRow.innerWidth)) }
    innerFields.clear(base, width: FieldRow.innerWidth)
    var cursor = scanned.cursor(at: Int(object.start))
    cursor.skip(UInt8(ascii: "{"))
    guard scanFields(&cursor, level: level, base: base, depth: 1) || isTooWide else {
      preconditionFailure("a text that was read as JSON is not JSON")
    }
  }

  public func termsField(_ field: TermsField, of object: JSONSlice) -> JSONSlice {
    innerFields[inner(object) + field.slot]
  }

  public func cardField(_ field: CardField) -> JSONSlice { innerFields[inner(self.field(.card)) + field.slot] }

  /// The top-level field to which a path leads, or with which it begins, in a record of any type; absent for the record
  /// itself.
  public func topField(_ path: FieldPath) -> JSONSlice { path.topSlot.map { fields[$0] } ?? .absent }

  /// A field of the shipping address, which must be an object.
  public func addressField(_ field: AddressField) -> JSONSlice {
    innerFields[inner(self.field(.shippingAddress)) + field.slot]
  }

  /// A field of an element of `adjustedAmounts`, by the slice of its object.
  public func adjustmentField(_ field: AdjustmentField, of object: JSONSlice) -> JSONSlice {
    innerFields[inner(object) + field.slot]
  }

  /// A field of adjusted amounts, by the slice of their object.
  public func amountsField(_ field: AmountsField, of object: JSONSlice) -> JSONSlice {
    innerFields[inner(object) + field.slot]
  }

  /// Where the row of an object begins.
  private func inner(_ object: JSONSlice) -> Int {
    var range = innerObjects.indices
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = innerObjects[middle].start <= object.start ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound * FieldRow.innerWidth
  }
}
