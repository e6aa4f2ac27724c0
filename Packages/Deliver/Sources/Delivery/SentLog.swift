import FileSystem
import Glibc
import SystemPackage

/// Which messages of an outbox were answered: `OUTBOX.sent`, a digest a line, on the disk before anything else is done.
final class SentLog: Sendable {
  private let file: OpenFile
  private let shown: String
  /// The digests that were there, by their first half.
  let known: Set<UInt128>

  /// Opens the log of an outbox, or makes it, and locks it for this run.
  ///
  /// What a killed run left of a line is cut off.
  init(ofOutbox path: String) throws(FileFailure) {
    let path = path + ".sent"
    let shown = OutputPlace.shown(path)
    self.shown = shown
    func fail(_ what: String, _ error: Errno) -> FileFailure {
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
        ? .busy("\(shown): another run has the outbox; wait for it to end") : fail("locked", error)
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

  /// Lets other runs have the outbox.
  ///
  /// Closing the file would not: a process that was begun meanwhile has the descriptor, too, until it runs a program.
  func unlock() { flock(file.descriptor.rawValue, LOCK_UN) }

  /// What a digest is known by; nil if the text is not a digest.
  static func key(_ digest: String) -> UInt128? {
    digest.utf8.count == 64 ? UInt128(digest.prefix(32), radix: 16) : nil
  }

  /// Takes a message that was answered, and waits until that is on the disk.
  func append(_ digest: String) throws(FileFailure) {
    let line = Array((digest + "\n").utf8)
    try file.write(line, count: line.count)
    try file.sync()
  }
}
