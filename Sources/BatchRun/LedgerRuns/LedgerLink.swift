import FileSystem
import Glibc

/// A link beside an output, `.NAME.ledger`, that names the ledger in which a run is being entered.
///
/// It stands from before the run is entered until its directory is published. So whoever uses that output next, with this
/// ledger, another or none, finds what has to be put right first.
struct LedgerLink {
  private let place: OutputPlace
  private let name: String

  init(_ place: OutputPlace) {
    self.place = place
    name = ".\(place.name).ledger"
  }

  /// Makes the link, and waits until it is on the disk.
  func make(to ledger: String) throws(RunFailure) {
    remove()
    try asRunFailure(using(shown, "made", place.parent.makeLink(name, to: ledger)))
    do throws(FileFailure) {
      try place.sync()
    } catch {
      remove()
      throw RunFailure(error)
    }
  }

  /// The path of the ledger that it names; nil where there is no link.
  func ledger() throws(RunFailure) -> String? {
    try asRunFailure(preparing(shown, "read", place.parent.link(name)))
  }

  /// Removes the link; one that stays is found and removed by the next run.
  func remove() {
    try? place.parent.remove(name)
  }

  private var shown: String { place.shown(beside: name) }

  /// Puts right what a run left that was interrupted while it was entered in a ledger.
  ///
  /// - Parameters:
  ///   - place: the output that is to be used.
  ///   - open: the ledger that is open already, and put right.
  ///   - note: told what was done.
  static func resolve(_ place: OutputPlace, except open: RunLedger?, note: (String) -> Void) throws(RunFailure) {
    let link = LedgerLink(place)
    guard let path = try link.ledger() else { return }
    // A ledger that is only out of reach may have a run whose reports stand here complete.
    if path != open?.path, !OutputPlace.isGone(path) {
      let ledger: RunLedger
      do throws(RunFailure) {
        ledger = try RunLedger(path)
      } catch {
        note("a run was interrupted at this output while it was entered in a ledger, which must be put right first")
        throw error
      }
      try ledger.recover(note: note)
    }
    link.remove()
  }
}
