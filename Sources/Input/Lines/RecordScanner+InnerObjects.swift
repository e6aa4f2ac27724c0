import Records

/// An object with fields of its own that few records have.
struct InnerObject {
  /// Where it begins in the line.
  let start: UInt32
  /// Where it stands in the record.
  let path: FieldPath
}

/// Objects that few records have: the terms of splits. A record without them pays nothing for them.
extension RecordScanner {
  /// Reads the fields of such objects, once all of the line is known to be JSON.
  @inline(never)
  mutating func readInnerObjects() {
    var found: [(slice: JSONSlice, level: FieldLevel, path: FieldPath)] = []
    found.reserveCapacity(min(rowCount, Self.keptRows))
    for row in 1..<rowCount {
      for field in [ReceiverField.split, .keep] {
        let slice = receiverField(field, row: row)
        if slice.kind == .object {
          found.append((slice, .terms, .receiver(receiverIndex(row: row)).receiverField(field)))
        }
      }
    }
    found.sort { $0.slice.start < $1.slice.start }
    guard admits(found.count, limit: widthLimit) else { return }
    if found.count > innerCapacity || innerCapacity > Self.keptRows {
      innerCapacity = found.count
      innerFields = Self.slots(innerCapacity * FieldRow.innerWidth, replacing: innerFields)
    }
    for (slice, level, path) in found {
      let base = innerObjects.count * FieldRow.innerWidth
      innerObjects.append(InnerObject(start: slice.start, path: path))
      Self.clear(innerFields + base)
      var cursor = line + Int(slice.start) + 1
      guard scanFields(&cursor, level: level, base: base, depth: 1) || isTooWide else {
        preconditionFailure("what was read as JSON is none")
      }
    }
  }

  /// A field of terms, by the slice of the object that they are.
  public func termsField(_ field: TermsField, of object: JSONSlice) -> JSONSlice { inner(object)[field.slot] }

  private func inner(_ object: JSONSlice) -> UnsafeMutablePointer<JSONSlice> {
    var range = innerObjects.indices
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = innerObjects[middle].start <= object.start ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return innerFields + range.lowerBound * FieldRow.innerWidth
  }
}
