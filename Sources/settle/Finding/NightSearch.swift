import BatchRun
import Verification

/// Looks for one thing, night by night in their order.
protocol NightSearch {
  /// Shows what is found in a night.
  ///
  /// - Parameter reports: those of the night; nil if they cannot be looked at.
  mutating func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(RunFailure)

  /// Shows what is to be said after the last night.
  func finish(_ found: FoundNights) throws(RunFailure)
}
