import Failures
import FileSystem
import Glibc
import SystemPackage

/// A file next to an output, `.NAME.ledger`, that names the ledger in which a run is being entered.
///
/// It exists from before the run is entered until its directory is published. So the next run that uses the output,
/// with this ledger, another or none, finds what needs repair first.
package struct LedgerNote {
  private let place: OutputPlace
  private let name: String

  package init(_ place: OutputPlace) {
    self.place = place
    name = ".\(place.name).ledger"
  }

  /// Creates the file, and waits until it is on the disk.
  package func make(of ledger: String) throws(Failure) {
    remove()
    do throws(Failure) {
      let file = OpenFile(
        try using(shown, "made", place.parent.open(name, O_WRONLY | O_CREAT | O_EXCL)), shown: shown)
      let bytes = FileName.bytes(ledger) + [Self.end]
      try file.write(bytes.span)
      try file.sync()
      try place.sync()
    } catch {
      remove()
      throw error
    }
  }

  /// The path of the ledger that it names; nil if there is no note, or if a run was killed while writing it: then
  /// nothing was entered.
  ///
  /// Throws if the file is a link, or belongs to another user: neither is followed.
  package func ledger() throws(Failure) -> String? {
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
      throw .unavailable(
        error == .tooManySymbolicLinkLevels
          ? "\(shown): was not made by a run of this user, and is not followed; remove it"
          : "\(shown): cannot be read: \(error)")
    }
    return bytes.popLast() == Self.end ? FileName.string(bytes) : nil
  }

  private static let end = UInt8(ascii: "\n")

  /// Removes the file; if that fails, the next run finds and removes it.
  package func remove() {
    try? place.parent.remove(name)
  }

  private var shown: String { place.shown(beside: name) }

  /// Completes or clears away a run that was interrupted while it was entered in a ledger.
  ///
  /// - Parameters:
  ///   - place: the output to use.
  ///   - open: a ledger that is open and recovered already.
  ///   - note: receives messages about what was done.
  package static func resolve(_ place: OutputPlace, except open: RunLedger?, note: (String) -> Void) throws(Failure) {
    let left = LedgerNote(place)
    guard let path = try left.ledger() else { return left.remove() }
    // If the ledger is only out of reach, it may contain a run whose reports are here and complete.
    if path != open?.path, !OutputPlace.isGone(path) {
      let ledger: RunLedger
      do throws(Failure) {
        ledger = try RunLedger(path)
      } catch {
        note("a run was interrupted at this output while it was entered in a ledger, which must be recovered first")
        throw error
      }
      try ledger.recover(note: note)
    }
    left.remove()
  }
}
