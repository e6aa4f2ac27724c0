import Failures
import Documents

/// Searches for one thing, night by night, in order.
protocol NightSearch {
  /// Shows what is found in a night.
  ///
  /// - Parameter reports: the night's reports; nil if they cannot be read.
  mutating func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(Failure)

  /// Shows what remains to be shown after the last night.
  func finish(_ found: FoundNights) throws(Failure)
}
