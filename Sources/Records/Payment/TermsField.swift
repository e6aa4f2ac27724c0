/// The fields of a receiver's `split` or `keep`.
@frozen
public enum TermsField: LevelField {
  /// The most that it gets.
  case max
  /// The least that it gets.
  case min
  /// A percentage of the total.
  case percent
  /// A weight for dividing what fixed parts and percentages leave.
  case share

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .max: FieldDefinition("max", .decimal)
    case .min: FieldDefinition("min", .decimal)
    case .percent: FieldDefinition("percent", .decimal, "a percentage of at most 100")
    case .share: FieldDefinition("share", .decimal)
    }
  }
}
