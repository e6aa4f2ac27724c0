import Records

/// A field that is not defined for its object.
public struct UnknownField: Sendable {
  /// The object that contains it.
  public enum Place: Sendable, Equatable {
    case record
    case receiver(row: Int)
    case invoice(row: Int)
    case item(Int, row: Int)
    /// An object that few records have (row of such objects).
    case inner(FieldPath, row: Int)
  }
  public let place: Place
  /// Its name, as a string slice.
  public let name: JSONSlice
  public let value: JSONSlice
}

extension RecordScanner {
  /// Whether the object of an unknown field lacks a field of its level, or has null there.
  ///
  /// - Parameter level: the level of the record itself.
  public func lacks(_ field: MeantFields.Field, in place: UnknownField.Place, of level: FieldLevel) -> Bool {
    guard let slot = field.slot else { return true }
    return switch place {
    case .record: fields[level.slot(of: slot)].isAbsent
    case .receiver(let row): fields[FieldRow.receiver(row) + slot].isAbsent
    case .invoice(let row): fields[FieldRow.receiver(row) + FieldRow.invoice + slot].isAbsent
    case .item(let item, _): items[item * FieldRow.itemWidth + slot].isAbsent
    case .inner(_, let row): innerFields[row * FieldRow.innerWidth + slot].isAbsent
    }
  }
}
