import Failures
import FileSystem
import Rules

/// Reads the files that `SettlementOptions` name.
package enum RuleFile {
  private static let maximumSize = 64 << 20

  /// The schedule in a file; the built-in one if no file is named.
  package static func readFees(_ path: String?) throws(Failure) -> FeeSchedule {
    try read(path, "the fee schedule", tooLarge: "that is not a fee schedule", FeeSchedule.init) ?? .published
  }

  /// The contents of a file; nil if none is named.
  static func read<Value>(
    _ path: String?, _ what: String, tooLarge: String, _ parse: ([UInt8]) throws(FeeScheduleError) -> Value
  ) throws(Failure) -> Value? {
    guard let path else { return nil }
    guard let text = try WholeFile.read(path, what: what, limit: maximumSize) else {
      throw .configuration("\(OutputPlace.shown(path)): is over 64 MiB; \(tooLarge)")
    }
    do throws(FeeScheduleError) {
      return try parse(text)
    } catch {
      throw .configuration("\(OutputPlace.shown(path)): \(error)")
    }
  }
}
