import CSystemCalls
import Glibc
import Synchronization
import SystemPackage

/// An open directory. Names in it are used through it, so that nobody who renames directories or puts links in their
/// place meanwhile leads a run elsewhere.
public final class Directory: Sendable {
  /// Open for reading, as long as its owner lives.
  public let descriptor: FileDescriptor

  /// For listing, which takes no more of the system then: it is needed for clearing up, too.
  private let listing: Mutex<OpaquePointer>

  private init(_ descriptor: Int32) throws(Errno) {
    self.descriptor = FileDescriptor(rawValue: descriptor)
    guard let listing = fdopendir(descriptor) else {
      let error = Errno(rawValue: errno)
      close(descriptor)
      throw error
    }
    self.listing = Mutex(listing)
  }

  // Closes the descriptor, too.
  deinit { _ = listing.withLock { closedir($0) } }

  /// Opens the directory at a path; links are followed.
  public convenience init(path: String) throws(Errno) {
    try self.init(systemCall { FileName.withCString(path) { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } })
  }

  /// Opens a directory in this one; a link is none.
  public func directory(_ name: String) throws(Errno) -> Directory {
    try Directory(open(name, O_RDONLY | O_DIRECTORY).rawValue)
  }

  /// Opens a file in the directory; never through a link.
  ///
  /// - Parameters:
  ///   - flags: those of `open(2)`.
  ///   - mode: that of a file that is made.
  public func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try call(name) { openat($0, $1, flags | O_NOFOLLOW | O_CLOEXEC, mode) })
  }

  /// The names in the directory; of a crowd only some.
  public func names(atMost most: Int = .max) throws(Errno) -> [String] {
    try listing.withLock { listing throws(Errno) in
      rewinddir(listing)
      var names: [String] = []
      while names.count < most {
        errno = 0
        guard let entry = readdir(listing) else {
          if errno != 0 { throw Errno(rawValue: errno) }
          break
        }
        let name = FileName.string(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }
  }

  /// What bears a name, a link itself; nil if nothing does.
  public func status(_ name: String) throws(Errno) -> Stat? {
    do throws(Errno) {
      return try Stat(
        FileName.withCString(name) { FilePath(platformString: $0) }, relativeTo: descriptor, flags: .symlinkNoFollow)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Makes a directory in this one, for this user alone.
  public func make(_ name: String) throws(Errno) {
    try call(name) { mkdirat($0, $1, 0o700) }
    // What the umask took away, lest it cannot be opened; it is a new directory of this user's.
    _ = FileName.withCString(name) { fchmodat(descriptor.rawValue, $0, 0o700, AT_SYMLINK_NOFOLLOW) }
  }

  /// Removes a file, or a directory that is empty; what is not there need not be removed.
  public func remove(_ name: String, isDirectory: Bool = false) throws(Errno) {
    do throws(Errno) {
      try call(name) { unlinkat($0, $1, isDirectory ? AT_REMOVEDIR : 0) }
    } catch .noSuchFileOrDirectory {}
  }

  /// Renames, in place of whatever file bears the new name.
  func rename(_ from: String, to: String) throws(Errno) {
    try call(from) { directory, from in FileName.withCString(to) { renameat(directory, from, directory, $0) } }
  }

  /// Renames if nothing bears the new name.
  public func renameNew(_ from: String, to: String) throws(Errno) {
    do throws(Errno) {
      try call(from) { directory, from in FileName.withCString(to) { settle_rename_new(directory, from, $0) } }
    } catch {
      guard error == .invalidArgument || error == .noFunction else { throw error }
      // A file system without that call: the plain one replaces no directory that holds anything, and a file only if
      // it comes in this moment.
      if try status(to) != nil { throw .fileExists }
      try rename(from, to: to)
    }
  }

  /// Has two names change places in one step.
  public func exchange(_ name: String, with other: String) throws(Errno) {
    try call(name) { directory, name in FileName.withCString(other) { settle_rename_exchange(directory, name, $0) } }
  }

  /// Waits until the names in the directory are on its disk.
  public func sync() throws(Errno) {
    do throws(Errno) {
      try systemCall { fsync(descriptor.rawValue) }
    } catch .invalidArgument {
      // Some file systems cannot sync a directory and say so.
    }
  }

  @discardableResult
  private func call<Result: SignedInteger>(
    _ name: String, _ body: (Int32, UnsafePointer<CChar>) -> Result
  ) throws(Errno) -> Result {
    try systemCall { FileName.withCString(name) { body(descriptor.rawValue, $0) } }
  }
}

extension Stat {
  /// Whether this is the same file or directory as another, whatever they are called.
  public func isSame(as other: Stat?) -> Bool { deviceID == other?.deviceID && inode == other?.inode }
}
