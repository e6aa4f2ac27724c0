import BatchRun
import FileSystem
import Rules

/// Reads the files that `SettlementOptions` name.
package enum RuleFile {
  private static let maximumSize = 64 << 20

  /// The schedule of a file, or the built-in one where none is named.
  package static func readFees(_ path: String?) throws(RunFailure) -> FeeSchedule {
    guard let path else { return .published }
    return try read(path, "the fee schedule", tooLarge: "that is no fee schedule", FeeSchedule.init)
  }

  /// The profiles of a file, none where none is named.
  static func readProfiles(_ path: String?) throws(RunFailure) -> SplitProfiles {
    guard let path else { return SplitProfiles() }
    return try read(path, "the profiles", tooLarge: "these are no profiles", SplitProfiles.init)
  }

  /// The tax rates of a file, nil where none is named.
  static func readTaxes(_ path: String?) throws(RunFailure) -> TaxTable? {
    guard let path else { return nil }
    return try read(path, "the tax rates", tooLarge: "these are no tax rates", TaxTable.init)
  }

  private static func read<Value>(
    _ path: String, _ what: String, tooLarge: String, _ parse: ([UInt8]) throws(FeeScheduleError) -> Value
  ) throws(RunFailure) -> Value {
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
