import Failures
import Rules

/// A header or trailer line, found among records.
package struct EnvelopeLine: Sendable {
  package var isHeader: Bool
  package var text: [UInt8]
  /// Its index among the stretch's lines.
  package var number: Int
  /// The number of the stretch's records before it.
  package var recordsBefore: Int
  /// Whether a field of `batch.md` occurs twice in one of its objects.
  package var hasDuplicateField: Bool
  /// The line index of the first record after it.
  package var recordBehind: Int?

  package init(
    isHeader: Bool, text: [UInt8], number: Int, recordsBefore: Int, hasDuplicateField: Bool, recordBehind: Int? = nil
  ) {
    self.isHeader = isHeader
    self.text = text
    self.number = number
    self.recordsBefore = recordsBefore
    self.hasDuplicateField = hasDuplicateField
    self.recordBehind = recordBehind
  }
}

extension BatchEnvelope {
  /// Reads the header and trailer lines of a stretch, and the numbers of records around them.
  ///
  /// - Parameters:
  ///   - first: the line index of the first record, if no header or trailer comes before it.
  ///   - count: the number of records.
  ///   - line: the number that line 0 of the stretch has in the file.
  ///   - end: the line index from which nothing counts.
  package mutating func read(
    _ lines: [EnvelopeLine], firstRecord first: Int?, recordCount count: Int, file: String, line: Int,
    before end: Int = .max
  ) throws(BatchError) {
    var counted = 0
    var nextRecord = first
    func countRecords(of envelope: inout BatchEnvelope, upTo count: Int) throws(BatchError) {
      if let nextRecord, nextRecord >= end { return }
      try envelope.countRecords(count - counted, at: Place(file: file, line: line + (nextRecord ?? 0)))
      counted = count
    }
    for next in lines where next.number < end {
      try countRecords(of: &self, upTo: next.recordsBefore)
      nextRecord = next.recordBehind
      let place = Place(file: file, line: line + next.number)
      if next.isHeader {
        try readHeader(next.text, hasDuplicateField: next.hasDuplicateField, at: place)
      } else {
        try readTrailer(next.text, hasDuplicateField: next.hasDuplicateField, at: place)
      }
    }
    try countRecords(of: &self, upTo: count)
  }
}
