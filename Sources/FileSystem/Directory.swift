import CSystemCalls
import Glibc
import Synchronization
import SystemPackage

/// An open directory. Files and directories in it are opened relative to it, so that a run cannot be led elsewhere by
/// someone who renames directories or replaces them by links in the meantime.
///
/// (Unsafe: the system gets names that end in a zero byte, and a listing that is open until the object is deinitialized.)
@safe
public final class Directory: Sendable {
  /// Open for reading until the object is deinitialized.
  public let descriptor: FileDescriptor

  /// Opened in advance, so that listing needs no further system resources: clearing up needs it too.
  private let listing: Mutex<OpaquePointer>

  private init(_ descriptor: Int32) throws(Errno) {
    self.descriptor = FileDescriptor(rawValue: descriptor)
    guard let listing = unsafe fdopendir(descriptor) else {
      let error = Errno(rawValue: errno)
      close(descriptor)
      throw error
    }
    unsafe self.listing = unsafe Mutex(listing)
  }

  // This closes the descriptor too.
  deinit { _ = unsafe listing.withLock { unsafe closedir($0) } }

  /// Opens the directory at a path; links are followed.
  public convenience init(path: String) throws(Errno) {
    try self.init(
      systemCall { unsafe FileName.withCString(path) { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } })
  }

  /// Opens a directory in this one; fails if the name is a link.
  public func directory(_ name: String) throws(Errno) -> Directory {
    try Directory(open(name, O_RDONLY | O_DIRECTORY).rawValue)
  }

  /// Opens a file in the directory; never through a link.
  ///
  /// - Parameters:
  ///   - flags: the flags of `open(2)`.
  ///   - mode: the mode of a file that is created.
  public func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws(Errno) -> FileDescriptor {
    unsafe FileDescriptor(rawValue: try call(name) { unsafe openat($0, $1, flags | O_NOFOLLOW | O_CLOEXEC, mode) })
  }

  /// Whether a path below this directory exists, following links; throws if the system cannot say.
  public func has(_ path: String) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = unsafe try call(path) { unsafe faccessat($0, $1, F_OK, 0) }
      return true
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return false }
      throw error
    }
  }

  /// The names in the directory, at most `most` of them.
  ///
  /// - Parameter ofFolders: whether to leave out what is certainly not a directory or a link.
  public func names(atMost most: Int = .max, ofFolders: Bool = false) throws(Errno) -> [String] {
    unsafe try listing.withLock { listing throws(Errno) in
      unsafe rewinddir(listing)
      var names: [String] = []
      while names.count < most {
        errno = 0
        guard let entry = unsafe readdir(listing) else {
          if errno != 0 { throw Errno(rawValue: errno) }
          break
        }
        if ofFolders, unsafe ![UInt8(DT_DIR), UInt8(DT_LNK), UInt8(DT_UNKNOWN)].contains(entry.pointee.d_type) {
          continue
        }
        let name = unsafe FileName.string(
          withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) })
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }
  }

  /// The status of the file with a name, not following links, or nil.
  public func status(_ name: String) throws(Errno) -> Stat? {
    do throws(Errno) {
      return unsafe try Stat(
        FileName.withCString(name) { unsafe FilePath(platformString: $0) }, relativeTo: descriptor,
        flags: .symlinkNoFollow)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Makes a directory in this one, accessible to this user only.
  public func make(_ name: String) throws(Errno) {
    unsafe try call(name) { unsafe mkdirat($0, $1, 0o700) }
    // Restore what the umask removed, or the directory might not be openable. It is new and belongs to this user.
    _ = unsafe FileName.withCString(name) { unsafe fchmodat(descriptor.rawValue, $0, 0o700, AT_SYMLINK_NOFOLLOW) }
  }

  /// Removes a file or an empty directory. Does nothing if it does not exist.
  public func remove(_ name: String, isDirectory: Bool = false) throws(Errno) {
    do throws(Errno) {
      unsafe try call(name) { unsafe unlinkat($0, $1, isDirectory ? AT_REMOVEDIR : 0) }
    } catch .noSuchFileOrDirectory {}
  }

  /// Renames a file, replacing any file with the new name.
  func rename(_ from: String, to: String) throws(Errno) {
    unsafe try call(from) { directory, from in
      unsafe FileName.withCString(to) { unsafe renameat(directory, from, directory, $0) }
    }
  }

  /// Renames a file; throws if the new name exists.
  public func renameNew(_ from: String, to: String) throws(Errno) {
    do throws(Errno) {
      unsafe try call(from) { directory, from in
        unsafe FileName.withCString(to) { unsafe settle_rename_new(directory, from, $0) }
      }
    } catch {
      guard error == .invalidArgument || error == .noFunction else { throw error }
      // The file system lacks that call. The plain one replaces no directory with contents, and replaces a file only if
      // it appears at this moment.
      if try status(to) != nil { throw .fileExists }
      try rename(from, to: to)
    }
  }

  /// Exchanges two names in one step.
  public func exchange(_ name: String, with other: String) throws(Errno) {
    unsafe try call(name) { directory, name in
      unsafe FileName.withCString(other) { unsafe settle_rename_exchange(directory, name, $0) }
    }
  }

  /// Gives a file another name, in another directory; throws if that exists.
  public func link(_ path: String, to name: String, in other: Directory) throws(Errno) {
    try unsafe call(path) { directory, path in
      unsafe FileName.withCString(name) { unsafe linkat(directory, path, other.descriptor.rawValue, $0, 0) }
    }
  }

  /// Waits until the names in the directory are on disk.
  public func sync() throws(Errno) {
    do throws(Errno) {
      try systemCall { fsync(descriptor.rawValue) }
    } catch .invalidArgument {
      // Some file systems cannot sync a directory and report so.
    }
  }

  @discardableResult
  private func call<Result: SignedInteger>(
    _ name: String, _ body: (Int32, UnsafePointer<CChar>) -> Result
  ) throws(Errno) -> Result {
    try systemCall { unsafe FileName.withCString(name) { unsafe body(descriptor.rawValue, $0) } }
  }
}

extension Stat {
  /// Whether this is the same file or directory as another, whatever their names are.
  public func isSame(as other: Stat?) -> Bool { deviceID == other?.deviceID && inode == other?.inode }
}
