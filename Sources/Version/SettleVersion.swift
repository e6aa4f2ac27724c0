public enum SettleVersion {
  /// The version, as `summary.json` names it.
  public static let number = "1.0.0-rc.4"

  /// The commit and its date. `git archive` substitutes them for `$Format` (.gitattributes), which `tools/release`
  /// uses; a working copy keeps the `$Format`.
  private static let archived = "$Format:commit %H, %cs$"

  /// The version and the commit it was built from, as `--version` prints them.
  public static let text =
    number + (archived.utf8.first == UInt8(ascii: "$") ? " (built from a working copy)" : " (\(archived))")
}
