import Failures
import Documents

/// The records that `exceptions.csv` lists, for questions in batch order.
struct ExceptionPlaces {
  private let rows: ReportRows
  /// The names of the batch's files in the reports.
  private let files: [[UInt8]]
  /// The place of the next listed record: the number of its file, and its line; nil after the last one.
  private var place: (file: Int, line: Int)? = (0, 0)

  /// - Parameter rows: the rows of `exceptions.csv`.
  init(_ rows: ReportRows, files: [[UInt8]]) {
    self.rows = rows
    self.files = files
  }

  /// Whether a record is listed. Call it in ascending order.
  mutating func contains(file: Int, line: Int) throws(Failure) -> Bool {
    while let place, place < (file, line) { self.place = try next(behind: place) }
    return place.map { $0 == (file, line) } ?? false
  }

  private func next(behind place: (file: Int, line: Int)) throws(Failure) -> (file: Int, line: Int)? {
    guard try rows.next() else { return nil }
    let row = try rows.exception()
    // Files of one name follow each other; the lines of each are counted from the beginning.
    if row.file == files[place.file], row.line >= place.line { return (place.file, row.line) }
    guard let file = files.indices.first(where: { $0 > place.file && files[$0] == row.file }) else {
      throw rows.fault("names a file that is not in the batch, or is out of order")
    }
    return (file, row.line)
  }
}
