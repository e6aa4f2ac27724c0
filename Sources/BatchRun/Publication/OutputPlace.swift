import BatchFile
import CSystemCalls
import Glibc
import Settlement

/// Where an output is to appear: an open parent directory and the name in it.
///
/// The path is resolved once, here. All later calls take the open directory, so that nobody who renames directories or
/// puts links in their place meanwhile leads a run elsewhere.
final class OutputPlace: Sendable {
  /// The open parent directory.
  let parent: Int32
  /// The output's name in it.
  let name: String
  private let path: String
  private let parentPath: String

  /// Opens the parent of a path; throws where there is none, or the path names nothing that could be made.
  init(path: String) throws(RunFailure) {
    (self.path, parentPath, name) = Self.parts(path)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw .outputUnavailable("\(Self.shown(path)): is no name that an output can have")
    }
    let parentPath = parentPath
    parent = SystemCall.retrying { FileName.withCString(parentPath) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } }
    guard parent >= 0 else {
      let code = errno
      let reason = code == ENOTDIR && Self.exists(parentPath) ? "is no directory" : SystemError.text(code)
      throw .outputUnavailable("\(Self.shown(parentPath)): \(reason); the output's parent directory must exist")
    }
  }

  deinit { close(parent) }

  /// A path without slashes at its end, its parent's path, and its name in it. Bytes are looked at: to a string, a slash
  /// with a combining mark behind it is another character.
  static func parts(_ path: String) -> (path: String, parent: String, name: String) {
    let slash = UInt8(ascii: "/")
    var end = path.utf8.endIndex
    while end > path.startIndex, path.utf8[path.utf8.index(before: end)] == slash { end = path.utf8.index(before: end) }
    guard end > path.startIndex else { return (path.isEmpty ? "" : "/", "/", "") }
    let trimmed = path.utf8[..<end]
    guard let last = trimmed.lastIndex(of: slash) else { return (String(path[..<end]), ".", String(path[..<end])) }
    return (
      String(path[..<end]), last == path.startIndex ? "/" : String(path[..<last]),
      String(path[path.utf8.index(after: last)..<end])
    )
  }

  /// Whether a path has no parent directory any more, as far as the system tells.
  static func lacksParent(_ path: String) -> Bool { isGone(parts(path).parent) }

  /// Whether nothing is at a path; false, too, where the system does not tell.
  static func isGone(_ path: String) -> Bool {
    var status = stat()
    return FileName.withCString(path) { stat($0, &status) } != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// The output's absolute path, its parent's links resolved; throws where the system does not tell it.
  func absolutePath() throws(RunFailure) -> String {
    guard let real = FileName.withCString(parentPath, { realpath($0, nil) }) else {
      throw .unavailable(errno, Self.shown(parentPath), "resolved")
    }
    defer { free(real) }
    let parent = FileName.string(
      Array(UnsafeBufferPointer(start: real, count: strlen(real))).map(UInt8.init(bitPattern:)))
    return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }

  /// The output's path for messages.
  var shown: String { Self.shown(path) }

  /// The path of what stands beside the output, for messages.
  func shown(beside name: String) -> String {
    Self.shown(parentPath + (parentPath == "/" ? "" : "/") + name)
  }

  /// Waits until what was renamed in the parent is on its disk.
  func sync() throws(RunFailure) {
    guard Self.syncDirectory(parent) == 0 else { throw .failed(errno, Self.shown(parentPath), "synced") }
  }

  /// Gives what stands beside the output its name, and waits until that is on the disk.
  ///
  /// Throws where nothing of it stands at the output.
  /// - Parameter replaces: whether it takes the place of whatever file bears that name; else it throws where one does.
  /// - Returns: why the output, which stands, may be lost if the power fails; nil where it is on the disk.
  func publish(_ made: String, replaces: Bool = false) throws(RunFailure) -> RunFailure? {
    guard replaces ? rename(made, name) : renameNew(made, name) else {
      if errno == EEXIST { throw .outputUnavailable("\(shown): exists already; name another output") }
      throw .unavailable(errno, shown, "made")
    }
    do throws(RunFailure) {
      try sync()
      return nil
    } catch {
      // What it took the place of is gone for good.
      if !replaces, renameNew(name, made) { throw error }
      return maybeLost(error)
    }
  }

  /// The failure of a sync after which the output keeps its name.
  func maybeLost(_ failure: RunFailure) -> RunFailure {
    .inputOutput("\(failure.message); \(shown) stands, complete, but may be lost if the power fails")
  }

  /// Renames, in place of whatever file bears the new name; false, with `errno`, where it cannot.
  func rename(_ from: String, _ to: String) -> Bool {
    FileName.withCString(from) { from in
      FileName.withCString(to) { to in SystemCall.retrying { renameat(parent, from, parent, to) } == 0 }
    }
  }

  /// Renames where nothing bears the new name; false, with `errno`, where it cannot.
  func renameNew(_ from: String, _ to: String) -> Bool {
    FileName.withCString(from) { from in
      FileName.withCString(to) { to in
        if SystemCall.retrying({ settle_rename_new(parent, from, to) }) == 0 { return true }
        guard errno == EINVAL || errno == ENOSYS else { return false }
        // A file system without that call: the plain one replaces no directory that holds anything, and a file only
        // where it comes in this moment.
        var status = stat()
        if fstatat(parent, to, &status, AT_SYMLINK_NOFOLLOW) == 0 {
          errno = EEXIST
          return false
        }
        return SystemCall.retrying { renameat(parent, from, parent, to) } == 0
      }
    }
  }

  /// Waits until a directory's names are on its disk: 0, or -1 with `errno`.
  static func syncDirectory(_ descriptor: Int32) -> Int32 {
    let result = SystemCall.retrying { fsync(descriptor) }
    // Some file systems cannot sync a directory and say so.
    return result != 0 && errno == EINVAL ? 0 : result
  }

  /// A path as a message shows it.
  static func shown(_ path: String) -> String { MessageText.escapedName(FileName.bytes(path)) }

  private static func exists(_ path: String) -> Bool { FileName.withCString(path) { access($0, F_OK) } == 0 }
}
