import BatchFile
import Glibc
import Ledger

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
    let result = FileName.withCString(ledger) { target in
      FileName.withCString(name) { name in SystemCall.retrying { symlinkat(target, place.parent, name) } }
    }
    guard result == 0 else { throw .failed(errno, shown, "made") }
    do throws(RunFailure) {
      try place.sync()
    } catch {
      remove()
      throw error
    }
  }

  /// The path of the ledger that it names; nil where there is no link.
  func ledger() throws(RunFailure) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = FileName.withCString(name) { name in
      SystemCall.retrying { readlinkat(place.parent, name, &bytes, bytes.count) }
    }
    if count < 0, errno == ENOENT { return nil }
    guard count > 0 else { throw .unavailable(errno, shown, "read") }
    return FileName.string(bytes[..<count].map(UInt8.init(bitPattern:)))
  }

  /// Removes the link; one that stays is found and removed by the next run.
  func remove() {
    _ = FileName.withCString(name) { name in SystemCall.retrying { unlinkat(place.parent, name, 0) } }
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
