import BatchRun
import Verification

/// Which records `exceptions.csv` tells of, asked for in batch order.
struct ExceptionPlaces {
  private let rows: ReportRows
  /// The names of the batch's files, as the reports have them.
  private let files: [[UInt8]]
  /// Where the next record told of stands: the number of its file, and its line; nil if there is none.
  private var place: (file: Int, line: Int)? = (0, 0)

  /// - Parameter rows: those of `exceptions.csv`.
  init(_ rows: ReportRows, files: [[UInt8]]) {
    self.rows = rows
    self.files = files
  }

  /// Whether it tells of a record; to be asked only for later ones than before.
  mutating func contains(file: Int, line: Int) throws(RunFailure) -> Bool {
    while let place, place < (file, line) { self.place = try next(behind: place) }
    return place.map { $0 == (file, line) } ?? false
  }

  private func next(behind place: (file: Int, line: Int)) throws(RunFailure) -> (file: Int, line: Int)? {
    guard try rows.next() else { return nil }
    let row = try rows.exception()
    // Files of one name stand one after the other; the lines of each begin anew.
    if row.file == files[place.file], row.line >= place.line { return (place.file, row.line) }
    guard let file = files.indices.first(where: { $0 > place.file && files[$0] == row.file }) else {
      throw rows.fault("names a file that is not the batch's, or stands out of order")
    }
    return (file, row.line)
  }
}
