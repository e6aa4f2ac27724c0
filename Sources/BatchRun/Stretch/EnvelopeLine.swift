import Rules

/// A header or trailer line, met among records.
struct EnvelopeLine: Sendable {
  let isHeader: Bool
  /// The line.
  let text: [UInt8]
  /// Its number among the stretch's lines.
  var number: Int
  /// The records of the stretch before it.
  var recordsBefore: Int
  /// Whether any field of `batch.md` stands twice in one object of it.
  let hasDuplicateField: Bool
  /// The line number of the first record after it.
  var recordBehind: Int?
}

extension BatchEnvelope {
  /// Takes the header and trailer lines of a stretch, and how many records stand around them.
  ///
  /// - Parameters:
  ///   - first: the line number of the first record, where no header or trailer stands before it.
  ///   - count: how many records there are.
  ///   - line: the number of the stretch's line 0 in the file.
  ///   - end: a line of the stretch from which on nothing counts.
  mutating func take(
    _ lines: [EnvelopeLine], firstRecord first: Int?, recordCount count: Int, file: String, line: Int,
    before end: Int = .max
  ) throws(BatchError) {
    var taken = 0
    var nextRecord = first
    func takeRecords(of envelope: inout BatchEnvelope, upTo count: Int) throws(BatchError) {
      if let nextRecord, nextRecord >= end { return }
      try envelope.takeRecords(count - taken, at: Place(file: file, line: line + (nextRecord ?? 0)))
      taken = count
    }
    for next in lines where next.number < end {
      try takeRecords(of: &self, upTo: next.recordsBefore)
      nextRecord = next.recordBehind
      let place = Place(file: file, line: line + next.number)
      if next.isHeader {
        try takeHeader(next.text, hasDuplicateField: next.hasDuplicateField, at: place)
      } else {
        try takeTrailer(next.text, hasDuplicateField: next.hasDuplicateField, at: place)
      }
    }
    try takeRecords(of: &self, upTo: count)
  }
}
