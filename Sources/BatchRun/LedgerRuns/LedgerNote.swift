import FileSystem
import Glibc
import SystemPackage

/// A file beside an output, `.NAME.ledger`, that names the ledger in which a run is being entered.
///
/// It stands from before the run is entered until its directory is published. So whoever uses that output next, with this
/// ledger, another or none, finds what has to be put right first.
package struct LedgerNote {
  private let place: OutputPlace
  private let name: String

  init(_ place: OutputPlace) {
    self.place = place
    name = ".\(place.name).ledger"
  }

  /// Makes the file, and waits until it is on the disk.
  func make(of ledger: String) throws(RunFailure) {
    remove()
    do throws(FileFailure) {
      let file = OpenFile(
        try using(shown, "made", place.parent.open(name, O_WRONLY | O_CREAT | O_EXCL)), shown: shown)
      let bytes = FileName.bytes(ledger) + [Self.end]
      try file.write(bytes, count: bytes.count)
      try file.sync()
      try place.sync()
    } catch {
      remove()
      throw RunFailure(error)
    }
  }

  /// The path of the ledger that it names; nil if there is none, or if a run was killed while it wrote it: then
  /// nothing is entered.
  ///
  /// Throws if it is a link, or another user's: neither is followed.
  func ledger() throws(RunFailure) -> String? {
    var bytes: [UInt8]
    do throws(Errno) {
      let file = OpenFile(try place.parent.open(name, O_RDONLY | O_NONBLOCK), shown: shown)
      let status = try Stat(file.descriptor)
      guard status.type == .regular, status.linkCount == 1, status.userID.rawValue == geteuid() else {
        throw .tooManySymbolicLinkLevels
      }
      bytes = try file.bytes(atMost: Int(PATH_MAX))
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw .outputUnavailable(
        error == .tooManySymbolicLinkLevels
          ? "\(shown): is no file that a run of this user made, and is not followed; take it away"
          : "\(shown): cannot be read: \(error)")
    }
    return bytes.popLast() == Self.end ? FileName.string(bytes) : nil
  }

  private static let end = UInt8(ascii: "\n")

  /// Removes the file; one that stays is found and removed by the next run.
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
  package static func resolve(_ place: OutputPlace, except open: RunLedger?, note: (String) -> Void) throws(RunFailure)
  {
    let left = LedgerNote(place)
    guard let path = try left.ledger() else { return left.remove() }
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
    left.remove()
  }
}
