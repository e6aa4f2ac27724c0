import Failures
import Glibc
import SystemPackage

/// A file with a temporary name until it is complete: `.NAME.partial` next to its place, locked while it is written.
///
/// What a killed process left under that name is replaced. A file that is not published is removed when the object is
/// deinitialized or the process is interrupted.
public final class PartialFile {
  private let place: OutputPlace
  private let name: String
  private let file: OpenFile
  private let cleanup: Interruption.Cleanup

  /// Makes the file, with `mode` reduced by the umask.
  ///
  /// Throws if the parent directory does not exist, the file cannot be made, or another process is writing it.
  public init(path: String, mode: mode_t = 0o644) throws(Failure) {
    let place = try OutputPlace(path: path)
    let name = ".\(place.name).partial"
    self.place = place
    self.name = name
    (file, cleanup) = try Interruption.uninterrupted { () throws(Failure) in
      let file = try Self.make(name, in: place, mode: mode)
      return (file, Interruption.Cleanup { try? place.parent.remove(name) })
    }
  }

  deinit { cleanup.perform() }

  private static func make(_ name: String, in place: OutputPlace, mode: mode_t) throws(Failure) -> OpenFile {
    let shown = place.shown(beside: name)
    for _ in 0..<100 {
      let flags = O_WRONLY | O_CREAT | O_NONBLOCK
      let made = try? place.parent.open(name, flags | O_EXCL, mode: mode)
      let opened: FileDescriptor
      if let made {
        opened = made
      } else {
        opened = try preparing(shown, "made", place.parent.open(name, flags, mode: mode))
      }
      let file = OpenFile(opened, shown: place.shown)
      do throws(Failure) {
        guard try place.lock(file.descriptor, name, holder: "another process is writing it") else { continue }
      } catch {
        if error.kind == .unavailable, made != nil || isAsNew(file) { try? place.parent.remove(name) }
        throw error
      }
      if made != nil || isAsNew(file) { return file }
      // Remove what an earlier process left only once it is locked: it may be in use.
      try? place.parent.remove(name)
    }
    throw .busy("\(shown): other processes keep taking it")
  }

  /// Whether a file is this user's, empty, and has no other name, as if it had just been made.
  private static func isAsNew(_ file: OpenFile) -> Bool {
    guard let status = try? Stat(file.descriptor) else { return false }
    return status.type == .regular && status.size == 0 && status.linkCount == 1 && status.userID.rawValue == geteuid()
  }

  /// The file's absolute path until it is published, for code that takes only paths.
  public func path() throws(Failure) -> String {
    FilePath(try place.absolutePath()).removingLastComponent().appending(name).string
  }

  /// Whether it will be in that directory, whichever path names it.
  public func isIn(directory path: String) -> Bool {
    guard let parent = try? Stat(place.parent.descriptor) else { return false }
    return parent.isSame(as: try? FileName.status(path))
  }

  public func write(_ bytes: Span<UInt8>) throws(Failure) { try file.write(bytes) }

  /// Waits until the file is on disk, and gives it its name.
  ///
  /// If it throws, the file does not have that name, unless the message says so.
  /// - Parameter replaces: whether it replaces any file with that name; if not, it throws if there is one.
  public func publish(replaces: Bool = true) throws(Failure) {
    try file.sync()
    try Interruption.uninterrupted { () throws(Failure) in
      let doubt = try place.publish(name, replaces: replaces)
      cleanup.withdraw()
      if let doubt { throw doubt }
    }
  }
}
