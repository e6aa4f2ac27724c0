import Records

/// The name tables of all levels, and the objects in each field.
struct FieldTables: Sendable {
  /// The objects with fields that a field holds.
  struct Nested {
    /// The level of the objects, or nil.
    var level: FieldLevel?
    /// Whether they are in an array.
    var isArray = false
  }

  /// All tables; they never change.
  static let all = FieldTables(hasCategories: false)
  /// The same for batches whose receivers may have a category.
  static let withCategories = FieldTables(hasCategories: true)

  private let tables: [FieldNameTable]
  private let nested: [Nested]
  /// More slots than any level has, including those of the single shape's receiver.
  static let slots = 64

  private init(hasCategories: Bool) {
    var nested = [Nested](repeating: Nested(), count: FieldLevel.allCases.count * Self.slots)
    tables = FieldLevel.allCases.map { level in
      FieldNameTable(
        level.definitions.enumerated().filter { hasCategories || !level.isCategory($0.offset) }.map { place, field in
          let slot = level.slot(of: place)
          if let inner = field.level, case .objects = field.shape {
            nested[level.rawValue * Self.slots + slot] = Nested(level: inner, isArray: true)
          } else {
            nested[level.rawValue * Self.slots + slot].level = field.level
          }
          return (field.name, slot)
        })
    }
    self.nested = nested
  }

  func nested(_ level: FieldLevel, slot: Int) -> Nested { nested[level.rawValue * Self.slots + slot] }

  subscript(level: FieldLevel) -> FieldNameTable { tables[level.rawValue] }
}
