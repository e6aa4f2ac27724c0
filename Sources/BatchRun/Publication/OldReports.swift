import Glibc
import Reports

/// The reports of an earlier run at an output, which `--replace` puts others in the place of.
final class OldReports {
  /// The open directory.
  let descriptor: Int32
  let identity: FileIdentity
  private let place: OutputPlace

  /// Opens what stands at the output; throws where it is no directory, or holds anything but reports.
  init(_ place: OutputPlace) throws(RunFailure) {
    self.place = place
    descriptor = OpenDirectory.open(place.name, in: place.parent)
    guard descriptor >= 0 else {
      let code = errno
      guard code == ENOTDIR || code == ELOOP else { throw .unavailable(code, place.shown, "opened") }
      throw .outputUnavailable("\(place.shown): is no directory of reports; --replace leaves it alone")
    }
    do throws(RunFailure) {
      identity = try FileIdentity.of(descriptor, shown: place.shown)
    } catch {
      close(descriptor)
      throw error
    }
    guard let names = OpenDirectory.names(descriptor) else { throw .unavailable(errno, place.shown, "listed") }
    if let stranger = names.sorted().first(where: { !ReportNames.all.contains($0) }) {
      throw .outputUnavailable(
        "\(place.shown): holds \(OutputPlace.shown(stranger)), which is no report; --replace leaves it alone")
    }
  }

  deinit { close(descriptor) }

  /// Locks the directory, so that no run takes it for what a killed one left while its files are removed.
  func lock() throws(RunFailure) {
    // A run that has just published holds it for a moment more.
    for _ in 0..<50 {
      if SystemCall.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return }
      guard errno == EWOULDBLOCK else { throw .unavailable(errno, place.shown, "locked") }
      usleep(20_000)
    }
    throw .busy("\(place.shown): is held by another process; it cannot be replaced now")
  }
}
