/// The fee schedule that applies if no other is given: the published US rates (`data/fees.json`).
public enum PublishedFees {
  /// The schedule's JSON text.
  public static let json = PackageResources.fees_json
}
