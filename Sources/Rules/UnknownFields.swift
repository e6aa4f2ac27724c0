/// What becomes of a field that its object does not have (`--unknown-fields`; `rules.md`, "Fields that look like another").
///
/// Raw values are written to `summary.json` and kept in ledgers.
public enum UnknownFields: String, CaseIterable, Sendable {
  /// An error if the object lacks a field that it looks like, else a notice.
  case suspect
  /// Always an error.
  case reject
  /// Always a notice.
  case note
}
