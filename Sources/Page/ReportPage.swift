import BatchRun

/// A published settlement directory as one HTML page: no network, no other files, nothing of a batch that can run.
///
/// The page is made from the reports alone, and every figure of it stands in one of them. What it lists is bounded
/// (``mostExceptions``, ``exceptionsOfEachCode``, ``receiversOfEachCurrency``, ``mostNights``, ``mostBatchFiles``); what it counts is
/// all there is. The same directory gives the same bytes, as long as its files keep their times.
public enum ReportPage {
  /// The rows of `exceptions.csv` that are listed from its beginning.
  static let mostExceptions = 2000
  /// The rows of each code, and of pending and held payments each, that are listed wherever they stand.
  static let exceptionsOfEachCode = 20
  /// The receivers of each currency that are listed.
  static let receiversOfEachCurrency = 5
  /// The nights whose payments were refunded, in each currency, that are listed.
  static let mostNights = 100
  /// The files of the batch that are named at the top.
  static let batchFilesAtTop = 3
  /// The files of the batch that are listed.
  static let mostBatchFiles = 100

  /// What every page begins with, and hardly another file.
  public static let beginning = Array(
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" \
    content="default-src &#39;none&#39;; style-src &#39;sha256-
    """.utf8)

  /// Makes the page of a directory as UTF-8 text; tells how many rows `exceptions.csv` has and how many of them are listed.
  ///
  /// Throws if the directory or one of its reports cannot be had (66), and where a file is not as it was
  /// published: its digest is another than `SHA256SUMS` has, or it is no such report (74). Memory does not grow with the
  /// reports, except what is listed.
  public static func make(of directory: String) throws(RunFailure) -> (page: [UInt8], exceptions: Int, listed: Int) {
    let reports = try PublishedReports(directory: directory)
    let html = HTMLWriter()
    PageSections(html: html, reports: reports).write()
    return (html.bytes, reports.exceptions.count, reports.exceptions.rows.count)
  }
}
