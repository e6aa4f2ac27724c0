/// How a field that is not defined for its object is treated (`--unknown-fields`;
/// `rules.md`, "Fields that look like another").
///
/// Raw values are written to `summary.json` and kept in ledgers.
public enum UnknownFields: String, CaseIterable, Sendable {
  /// An error if it looks like a field that the object lacks, otherwise a notice.
  case suspect
  /// Always an error.
  case reject
  /// Always a notice.
  case note
}
