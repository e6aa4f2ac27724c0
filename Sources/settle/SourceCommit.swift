/// The commit that the command was built from, for `settle --version`.
enum SourceCommit {
  /// The commit and its date. `git archive` puts them in the place of the `$Format` (.gitattributes), as `tools/release`
  /// has it do; in a working copy it stands as it is.
  private static let archived = "$Format:commit %H, %cs$"

  /// What stands after the version.
  static let text = archived.utf8.first == UInt8(ascii: "$") ? "built from a working copy" : archived
}
