/// Why a fee schedule cannot be used; the run ends before any record is read (exit code 78).
public struct FeeScheduleError: Error, Sendable, CustomStringConvertible {
  /// Where in the schedule, as a path: `plans.standard.rate`; empty for the whole text.
  public let path: String
  /// What is wrong, and what was expected.
  public let reason: String

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
