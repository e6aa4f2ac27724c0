import Failures
import FileSystem
import Glibc
import SystemPackage

/// The messages of an outbox that were answered: `OUTBOX.sent`, one digest per line. Each line is on disk before
/// anything else is done.
final class SentLog: Sendable {
  private let file: OpenFile
  private let shown: String
  /// The digests that were already listed, by their first half.
  let known: Set<UInt128>

  /// Opens or creates the log of an outbox, and locks it for this run.
  ///
  /// If a killed run left an incomplete line, removes it.
  init(ofOutbox path: String) throws(Failure) {
    let path = path + ".sent"
    let shown = OutputPlace.shown(path)
    self.shown = shown
    func fail(_ what: String, _ error: Errno) -> Failure {
      .unavailable("\(shown): cannot be \(what): \(error)")
    }
    let place = try OutputPlace(path: path)
    do throws(Errno) {
      file = OpenFile(
        try place.parent.open(place.name, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, mode: 0o600), shown: shown)
      guard try Stat(file.descriptor).type == .regular else { throw Errno.invalidArgument }
    } catch {
      throw fail("opened", error)
    }
    let descriptor = file.descriptor
    do throws(Errno) {
      _ = try systemCall { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    } catch {
      throw error == .wouldBlock
        ? .busy("\(shown): another run is using the outbox; wait for it to end") : fail("locked", error)
    }
    do throws(Errno) {
      let bytes = try file.bytes(atMost: .max - 1)
      let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      if end < bytes.count { _ = try systemCall { ftruncate(descriptor.rawValue, off_t(end)) } }
      known = Set(bytes[..<end].split(separator: 0x0A).compactMap { Self.key(String(decoding: $0, as: UTF8.self)) })
    } catch {
      throw .inputOutput("\(shown): cannot be read: \(error)")
    }
    try place.sync()
  }

  /// Releases the outbox for other runs.
  ///
  /// Closing the file is not enough: a process that was started meanwhile also has the descriptor, until it runs a
  /// program.
  func unlock() { flock(file.descriptor.rawValue, LOCK_UN) }

  /// The first half of a digest; nil if the text is not a digest.
  static func key(_ digest: String) -> UInt128? {
    digest.utf8.count == 64 ? UInt128(digest.prefix(32), radix: 16) : nil
  }

  /// Adds an answered message, and waits until it is on disk.
  func append(_ digest: String) throws(Failure) {
    try file.write((digest + "\n").utf8Span.span)
    try file.sync()
  }
}
