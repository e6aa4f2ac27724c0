import Console
import Logging
import Payouts

extension Log {
  /// Reports what is wrong with a file that a payout reads.
  static func report(_ faults: FileFaults) {
    for fault in faults.listed {
      var metadata: Logger.Metadata = ["code": .string(fault.code)]
      metadata[fault.line == nil ? "input" : "file"] = .string(fault.file)
      if let line = fault.line { metadata["line"] = .stringConvertible(line) }
      if let field = fault.field { metadata["field"] = .string(field) }
      logger.error("\(fault.text)", metadata: metadata)
    }
    if faults.count > faults.listed.count {
      reportCounts(faults.file, faults.count, listed: faults.listed.count, faults.counts)
    }
  }

  /// Reports how many errors a file has, if they are not all listed.
  ///
  /// - Parameter counts: the number of errors with each code.
  static func reportCounts(_ file: String, _ count: Int, listed: Int, _ counts: [(code: String, count: Int)]) {
    logger.error(
      """
      \(count) errors, of which the first \(listed) are listed; by code: \
      \(counts.map { "\($0.code) \($0.count)" }.joined(separator: ", "))
      """,
      metadata: [
        "input": .string(file),
        "errors": .dictionary(
          Dictionary(uniqueKeysWithValues: counts.map { ($0.code, .stringConvertible($0.count)) })),
      ])
  }
}
