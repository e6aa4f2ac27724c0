/// The names of the files that a settlement directory holds.
public enum ReportNames {
  /// The reports, in the order of their names.
  public static let reports = [
    ControlReport.fileName, ExceptionsReport.fileName, ReceiversReport.fileName, SettlementReport.fileName,
    SummaryReport.fileName, TotalsReport.fileName,
  ]
  /// The file of their digests.
  public static let sums = "SHA256SUMS"
  /// All of them.
  public static let all = reports + [sums]
}
