import Failures
import Glibc
import SystemPackage
import Text

/// Where an output will appear: an open parent directory and the name in it.
///
/// The path is resolved once, here. All later calls use the open directory.
public final class OutputPlace: Sendable {
  public let parent: Directory
  /// The output's name in it.
  public let name: String
  private let path: String
  private let parentPath: String

  /// Opens the parent of a path. Throws if the parent does not exist, or the path does not name something that can be
  /// made.
  public init(path: String) throws(Failure) {
    let parts = FilePath(path)
    guard let last = parts.lastComponent, last.kind == .regular else {
      throw .unavailable("\(Self.shown(path)): invalid output name")
    }
    self.path = parts.string
    name = last.string
    parentPath = Self.parentPath(of: path)
    do throws(Errno) {
      parent = try Directory(path: parentPath)
    } catch {
      let isThere = (try? FileName.status(parentPath)) != nil
      let reason = error == .notDirectory && isThere ? "is not a directory" : error.description
      throw .unavailable("\(Self.shown(parentPath)): \(reason); this directory must exist")
    }
  }

  /// A name in a directory that is open.
  ///
  /// - Parameter path: the output's path for messages.
  public init(_ name: String, in parent: Directory, path: String) {
    self.name = name
    self.parent = parent
    self.path = path
    parentPath = Self.parentPath(of: path)
  }

  // MARK: Paths

  private static func parentPath(of path: String) -> String {
    let parent = FilePath(path).removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }

  /// Whether a path's parent directory no longer exists, as far as the system can say.
  public static func lacksParent(_ path: String) -> Bool { isGone(parentPath(of: path)) }

  /// Whether there is nothing at a path. Also false if the system cannot say.
  public static func isGone(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try FileName.status(path)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory
    }
  }

  /// Whether two paths name the same file, existing or not. Links are followed.
  ///
  /// False if the system cannot say.
  public static func isSame(_ path: String, _ other: String) -> Bool {
    if let one = try? FileName.status(path), let two = try? FileName.status(other) { return one.isSame(as: two) }
    return FilePath(path).lastComponent == FilePath(other).lastComponent && isIn(path, directory: parentPath(of: other))
  }

  /// Whether a path is directly in a directory, not in one of its subdirectories.
  public static func isIn(_ path: String, directory: String) -> Bool {
    guard let parent = try? FileName.status(parentPath(of: path)) else { return false }
    return parent.isSame(as: try? FileName.status(directory))
  }

  /// The output's absolute path, with its parent's links resolved; throws if the system cannot say.
  public func absolutePath() throws(Failure) -> String {
    let parent = try preparing(Self.shown(parentPath), "resolved", FileName.resolved(parentPath))
    return FilePath(parent).appending(name).string
  }

  /// The output's path for messages.
  public var shown: String { Self.shown(path) }

  /// The path of a sibling of the output, for messages.
  public func shown(beside name: String) -> String {
    Self.shown(parentPath + (parentPath == "/" ? "" : "/") + name)
  }

  public static func shown(_ path: String) -> String { MessageText.escapedName(FileName.bytes(path)) }

  // MARK: Names next to the output

  /// The status of a sibling of the output, not following links, or nil.
  public func status(_ name: String) throws(Failure) -> Stat? {
    try preparing(shown(beside: name), "examined", parent.status(name))
  }

  /// Throws if the output exists.
  public func expectNothing() throws(Failure) {
    if try status(name) != nil { throw .unavailable("\(shown): exists already; name another output") }
  }

  /// Locks an opened sibling of the output for this process only. Returns false if it no longer has that name.
  ///
  /// - Parameter holder: the words for a lock that another process holds, such as "another run is at work on this
  ///   output".
  func lock(_ descriptor: FileDescriptor, _ name: String, holder: String) throws(Failure) -> Bool {
    let shown = shown(beside: name)
    do throws(Errno) {
      try systemCall { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    } catch {
      throw error == .wouldBlock
        ? .busy("\(shown): \(holder); wait for it to end") : .unavailable("\(shown): cannot be locked: \(error)")
    }
    return try preparing(shown, "examined", Stat(descriptor)).isSame(as: status(name))
  }

  // MARK: Publishing

  /// Waits until renames in the parent are on disk.
  public func sync() throws(Failure) { try using(Self.shown(parentPath), "synced", parent.sync()) }

  /// Renames a sibling of the output to the output's name, and waits until that is on disk.
  ///
  /// If it throws, nothing of it is at the output.
  /// - Parameter replaces: whether it replaces any file with that name; if not, it throws if there is one.
  /// - Returns: why the output, which exists, may be lost if the power fails; nil if it is on disk.
  func publish(_ made: String, replaces: Bool = false) throws(Failure) -> Failure? {
    do throws(Errno) {
      if replaces { try parent.rename(made, to: name) } else { try parent.renameNew(made, to: name) }
    } catch {
      throw .unavailable(
        error == .fileExists
          ? "\(shown): exists already; name another output" : "\(shown): cannot be made: \(error)")
    }
    do throws(Failure) {
      try sync()
      return nil
    } catch {
      // What it took the place of is gone for good.
      if !replaces, (try? parent.renameNew(name, to: made)) != nil { throw error }
      return maybeLost(error)
    }
  }

  /// The failure of a sync after which the output keeps its name.
  public func maybeLost(_ failure: Failure) -> Failure {
    .inputOutput("\(failure.message); \(shown) is complete, but may be lost if the power fails")
  }
}
