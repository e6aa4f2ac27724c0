import BatchFile
import Glibc

/// A file under another name until it is complete: `.NAME.partial` beside its place, locked while it is written.
///
/// What a killed process left under that name is replaced. One that is not published is taken away with its owner, or
/// when the process is interrupted.
public final class PartialFile {
  private let place: OutputPlace
  private let name: String
  private let descriptor: Int32
  private let cleanup: Interruption.Cleanup
  private var isPublished = false

  /// Makes the file, with the mode that `umask` leaves of 0644.
  ///
  /// Throws where the parent directory does not exist, the file cannot be made, or another process is writing it.
  public init(path: String) throws(RunFailure) {
    let place = try OutputPlace(path: path)
    let name = ".\(place.name).partial"
    self.place = place
    self.name = name
    (descriptor, cleanup) = try Interruption.uninterrupted { () throws(RunFailure) in
      let descriptor = try Self.make(name, in: place)
      return (descriptor, Interruption.Cleanup { Self.remove(name, in: place) })
    }
  }

  deinit {
    if !isPublished { Self.remove(name, in: place) }
    cleanup.withdraw()
    close(descriptor)
  }

  /// Whether it is to be in that directory, by whatever path.
  public func isIn(directory path: String) -> Bool {
    var status = stat()
    var parent = stat()
    return FileName.withCString(path) { stat($0, &status) } == 0 && fstat(place.parent, &parent) == 0
      && status.st_dev == parent.st_dev && status.st_ino == parent.st_ino
  }

  private static func make(_ name: String, in place: OutputPlace) throws(RunFailure) -> Int32 {
    let shown = place.shown(beside: name)
    // What is left of an earlier one is locked before it is removed, lest it is somebody's.
    for _ in 0..<100 {
      let made = open(name, in: place, O_WRONLY | O_CREAT | O_EXCL)
      if made < 0, errno != EEXIST { throw .unavailable(errno, shown, "made") }
      let descriptor = made >= 0 ? made : open(name, in: place, O_WRONLY | O_NONBLOCK)
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw .unavailable(errno, shown, "opened") }
      do throws(RunFailure) {
        let isHere = try lock(descriptor, name, in: place)
        if made >= 0, isHere { return descriptor }
        if isHere { remove(name, in: place) }
      } catch {
        if made >= 0, error.exitCode != RunFailure.busy("").exitCode { remove(name, in: place) }
        close(descriptor)
        throw error
      }
      close(descriptor)
    }
    throw .busy("\(shown): other processes keep taking it")
  }

  /// Locks an open file; false where it has lost its name meanwhile.
  private static func lock(_ descriptor: Int32, _ name: String, in place: OutputPlace) throws(RunFailure) -> Bool {
    let shown = place.shown(beside: name)
    try FileLock.take(descriptor, shown: shown, holder: "another process is writing it")
    return try FileIdentity.of(descriptor, shown: shown) == FileIdentity.of(name, in: place)
  }

  private static func open(_ name: String, in place: OutputPlace, _ flags: Int32) -> Int32 {
    FileName.withCString(name) { name in
      SystemCall.retrying { openat(place.parent, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o644) }
    }
  }

  private static func remove(_ name: String, in place: OutputPlace) {
    _ = FileName.withCString(name) { name in SystemCall.retrying { unlinkat(place.parent, name, 0) } }
  }

  /// Writes all bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(RunFailure) {
    guard let start = bytes.baseAddress else { return }
    try Descriptor.writeAll(
      descriptor, start.assumingMemoryBound(to: UInt8.self), count: bytes.count, name: place.shown)
  }

  /// Waits until the file is on its disk, and gives it its name.
  ///
  /// Where it throws, the file does not stand there, unless the message says so.
  /// - Parameter replaces: whether it takes the place of whatever file bears that name; else it throws where one does.
  public func publish(replaces: Bool = true) throws(RunFailure) {
    guard SystemCall.retrying({ fsync(descriptor) }) == 0 else { throw .failed(errno, place.shown, "synced") }
    try Interruption.uninterrupted { () throws(RunFailure) in
      let doubt = try place.publish(name, replaces: replaces)
      isPublished = true
      cleanup.withdraw()
      if let doubt { throw doubt }
    }
  }
}
