import Failures
import FileSystem
import Ledger

/// A run or a payout that is entered already, and where its files are.
public struct FoundEntry<Content: EntryContent>: Sendable {
  /// Its files, as seen from the output that was asked for.
  public enum Files: Sendable, Equatable {
    /// They are at the output; nothing was written.
    case inPlace
    /// They were published at the output again.
    case publishedAgain
    /// They are in another directory, or have changed or are gone. Someone may be about to pay a second time, so
    /// nothing was written.
    case elsewhere(stand: Bool)
  }

  /// The run or payout.
  public let entry: Entry<Content>
  /// Where its files are.
  public let files: Files

  package init(_ entry: Entry<Content>, _ files: Files) { (self.entry, self.files) = (entry, files) }

  /// The process's exit code: that of the run or payout then, or 3 if its files are not at the output.
  public var exitCode: Int32 { if case .elsewhere = files { 3 } else { entry.exitCode } }
}

extension RunLedger {
  /// An entry for an output that was asked for; nil if its files are to be published there again.
  package func earlier<Content>(
    _ entry: Entry<Content>, at output: String, republishes: Bool
  ) throws(Failure) -> FoundEntry<Content>? {
    // An output that cannot be made is refused when it is made.
    let canBeMade = (try? OutputPlace(path: output)) != nil
    if canBeMade, try stands(entry, at: output, isRepublished: republishes) { return FoundEntry(entry, .inPlace) }
    return republishes ? nil : FoundEntry(entry, .elsewhere(stand: entry.mayStand))
  }
}
