/// The fields of a receiver's `split` or `keep`.
@frozen
public enum TermsField: FieldName {
  /// What it gets at most.
  case max
  /// What it gets at least.
  case min
  /// A percentage of the total.
  case percent
  /// A weight in what fixed parts and percentages leave.
  case share

  /// What the tables say of it.
  public var definition: FieldDefinition {
    switch self {
    case .max: FieldDefinition("max", .decimal)
    case .min: FieldDefinition("min", .decimal)
    case .percent: FieldDefinition("percent", .decimal, "a percentage of at most 100")
    case .share: FieldDefinition("share", .decimal)
    }
  }
}
