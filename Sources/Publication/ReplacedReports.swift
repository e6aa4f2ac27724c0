import Failures
import FileSystem
import Glibc
import SystemPackage

/// The reports of an earlier run at an output, which `--replace` swaps out.
struct ReplacedReports {
  /// The open directory.
  let directory: Directory
  private let place: OutputPlace

  /// Opens the directory at the output; throws if it is not a directory, or contains anything but reports.
  init(_ place: OutputPlace, _ names: PublishedNames) throws(Failure) {
    self.place = place
    let found: [String]
    do throws(Errno) {
      directory = try place.parent.directory(place.name)
      found = try directory.names()
    } catch {
      guard error == .notDirectory || error == .tooManySymbolicLinkLevels else {
        throw .unavailable("\(place.shown): cannot be opened: \(error)")
      }
      throw .unavailable("\(place.shown): is not a directory of reports; --replace leaves it alone")
    }
    if let stranger = found.sorted().first(where: { !names.isReport($0, false) && !names.isReport($0, true) }) {
      throw .unavailable(
        "\(place.shown): contains \(OutputPlace.shown(stranger)), which is not a report; --replace leaves it alone")
    }
  }

  /// Whether the directory now has this name, next to the output.
  func bears(_ name: String) throws(Failure) -> Bool {
    try preparing(place.shown, "examined", Stat(directory.descriptor)).isSame(as: place.status(name))
  }

  /// Locks the directory, so that no run mistakes it for a killed run's while its files are removed.
  func lock() throws(Failure) {
    // A run that has just published holds the lock for another moment.
    for _ in 0..<50 {
      do throws(Errno) {
        try systemCall { flock(directory.descriptor.rawValue, LOCK_EX | LOCK_NB) }
        return
      } catch {
        guard error == .wouldBlock else { throw .unavailable("\(place.shown): cannot be locked: \(error)") }
        usleep(20_000)
      }
    }
    throw .busy("\(place.shown): is held by another process; it cannot be replaced now")
  }
}
