import Failures
import Ledger
import Records

/// A published settlement directory as one HTML page: no network, no other files, and no text of a batch that can run.
///
/// The page is made from the reports only, and each of its figures is in one of them. What it lists is limited
/// (``mostExceptions``, ``exceptionsOfEachCode``, ``receiversOfEachCurrency``, ``mostNights``, ``mostBatchFiles``);
/// what it counts is everything. The same directory gives the same bytes as long as its files keep their times.
public enum ReportPage {
  /// The number of rows of `exceptions.csv` that are listed from its beginning.
  static let mostExceptions = 2000
  /// The number of rows of each code, of pending and of held payments that are listed wherever they are.
  static let exceptionsOfEachCode = 20
  /// The number of receivers that are listed for each currency.
  static let receiversOfEachCurrency = 5
  /// The number of runs, by currency, for which refunds of their payments are listed.
  static let mostNights = 100
  /// The number of the batch's files that are named at the top.
  static let batchFilesAtTop = 3
  /// The number of the batch's files that are listed.
  static let mostBatchFiles = 100

  /// The bytes that every page begins with, and hardly any other file.
  public static let beginning = Array(
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" \
    content="default-src &#39;none&#39;; style-src &#39;sha256-
    """.utf8)

  /// Makes a directory's page as UTF-8 text. Returns also how many rows `exceptions.csv` has and how many are listed.
  ///
  /// Throws if the directory or one of its reports cannot be opened (66), or if a file is not as it was published: its
  /// digest differs from the one in `SHA256SUMS`, or it is not a valid report (74). Memory grows only with what is
  /// listed, not with the reports.
  public static func make(of directory: String) throws(Failure) -> (page: [UInt8], exceptions: Int, listed: Int) {
    let reports = try PublishedReports(directory: directory)
    let html = HTMLWriter()
    PageSections(html: html, reports: reports).write()
    return (html.bytes, reports.exceptions.count, reports.exceptions.rows.count)
  }

  /// Makes the page of a period of a ledger as UTF-8 text, by booking days. Only the ledger is read, once; memory does not
  /// grow with its accounts.
  ///
  /// Throws if the ledger cannot be read (66, 74), or if a run or payout wrote to it meanwhile (75).
  package static func make(of ledger: LedgerReading, since: CalendarDay, until: CalendarDay) throws(Failure) -> [UInt8]
  {
    let html = HTMLWriter()
    let figures = try MonthFigures(ledger, since: since, until: until)
    MonthSections(html: html, figures: figures, ledger: ledger.shown).write()
    return html.bytes
  }
}
