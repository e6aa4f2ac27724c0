import Failures
import Glibc
import SystemPackage

/// A directory with a temporary name until it is complete: `.NAME.partial` next to its place, for this user only.
///
/// It is locked with `flock` while a run is working on it, unless it is one of several attempts. So a second run on the same output ends at once, and the
/// next run can recognize and remove what a killed run left, which has no lock. It is removed when the object is
/// deinitialized or the process is interrupted, unless it is to be kept.
public final class PartialDirectory: Sendable {
  /// Whether a name, of a folder or of a file, is one that the directory may contain. Other names are never removed;
  /// everything in its folders belongs to it.
  public typealias OwnNames = @Sendable (_ name: String, _ isFolder: Bool) -> Bool

  /// Where it will appear.
  public let place: OutputPlace
  /// Its name until then.
  public let name: String
  public let directory: Directory
  private let isOwn: OwnNames
  private let cleanup: Interruption.Cleanup

  /// Makes the directory, or takes over what a killed run left. Empties it, unless `keepsFiles` is set: then it also
  /// stays however the run ends.
  ///
  /// Throws if it cannot be made, another run holds it, or its contents are not what a run leaves.
  /// - Parameter isOwn: the names that it may contain.
  public init(_ place: OutputPlace, keepsFiles: Bool = false, isOwn: @escaping OwnNames) throws(Failure) {
    self.place = place
    self.isOwn = isOwn
    let name = Self.name(of: place)
    self.name = name
    (directory, cleanup) = try Interruption.uninterrupted { () throws(Failure) in
      do throws(Failure) {
        let directory = try Self.open(name, in: place)
        try Self.takeOver(directory, shown: place.shown(beside: name), isOwn)
        if !keepsFiles { try preparing(place.shown(beside: name), "emptied", Self.empty(directory, isOwn)) }
        let cleanup = Interruption.Cleanup { Self.takeAway(directory, name, in: place, isOwn) }
        if keepsFiles { cleanup.withdraw() }
        return (directory, cleanup)
      } catch {
        // A directory with contents stays.
        if error.kind == .unavailable { try? place.parent.remove(name, isDirectory: true) }
        throw error
      }
    }
  }

  /// Makes the directory under a name of its own, `.NAME.PID.RANDOM`, without a lock: any of several attempts will do.
  public init(attemptAt place: OutputPlace) throws(Failure) {
    let isOwn: OwnNames = { _, isFolder in !isFolder }
    let name = ".\(place.name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
    (self.place, self.name, self.isOwn) = (place, name, isOwn)
    (directory, cleanup) = try Interruption.uninterrupted { () throws(Failure) in
      let directory = try using(place.shown(beside: name), "made", Self.made(name, in: place.parent))
      return (directory, Interruption.Cleanup { Self.takeAway(directory, name, in: place, isOwn) })
    }
  }

  private static func made(_ name: String, in parent: Directory) throws(Errno) -> Directory {
    try parent.make(name)
    return try parent.directory(name)
  }

  deinit { cleanup.perform() }

  /// The directory's path for messages.
  public var shown: String { place.shown(beside: name) }

  private static func name(of place: OutputPlace) -> String { ".\(place.name).partial" }

  /// Whether a run is working at a place, or left something there.
  public static func exists(_ place: OutputPlace) throws(Failure) -> Bool {
    try place.status(name(of: place)) != nil
  }

  // MARK: Making

  /// Makes or finds the directory, and locks it.
  private static func open(_ name: String, in place: OutputPlace) throws(Failure) -> Directory {
    let shown = place.shown(beside: name)
    // A run that ends between these steps may remove the directory; then it is made again.
    for _ in 0..<100 {
      do throws(Errno) {
        try place.parent.make(name)
      } catch {
        guard error == .fileExists else { throw .unavailable("\(shown): cannot be made: \(error)") }
      }
      let directory: Directory
      do throws(Errno) {
        directory = try place.parent.directory(name)
      } catch {
        if error == .noSuchFileOrDirectory { continue }
        throw .unavailable("\(shown): cannot be opened: \(error)")
      }
      let isHere = try place.lock(directory.descriptor, name, holder: "another run is working on this output")
      if isHere { return directory }
    }
    throw .busy("\(shown): other runs keep taking this output")
  }

  /// Checks that no one else can write to the directory, and that it is one that an interrupted run left.
  private static func takeOver(_ directory: Directory, shown: String, _ isOwn: OwnNames) throws(Failure) {
    let owner = try preparing(shown, "examined", Stat(directory.descriptor)).userID.rawValue
    guard owner == geteuid() else {
      throw .unavailable("\(shown): belongs to user \(owner), but this run is user \(geteuid())")
    }
    try preparing(shown, "given mode 0700", systemCall { fchmod(directory.descriptor.rawValue, 0o700) })
    let names = try preparing(shown, "listed", directory.names())
    if let stranger = names.sorted().first(where: { !isOwn($0, false) && !isOwn($0, true) }) {
      throw .unavailable(
        "\(shown): holds \(OutputPlace.shown(stranger)), which no run left there; move it elsewhere")
    }
  }

  /// Makes a file in the directory, for this user only. If a folder is named, makes the folder and puts the file in it.
  public func makeFile(_ name: String, folder: String? = nil) throws(Failure) -> OpenFile {
    try Interruption.uninterrupted { () throws(Failure) in
      if let folder { try using("\(shown)/\(folder)", "made", directory.make(folder)) }
      let path = folder.map { "\($0)/\(name)" } ?? name
      let shown = "\(shown)/\(path)"
      let file = OpenFile(try using(shown, "made", directory.open(path, O_WRONLY | O_CREAT | O_EXCL)), shown: shown)
      try using(shown, "given mode 0600", systemCall { fchmod(file.descriptor.rawValue, 0o600) })
      return file
    }
  }

  // MARK: Ending

  /// Waits until the names in it are on disk.
  public func sync() throws(Failure) { try using(shown, "synced", directory.sync()) }

  /// Releases the lock for other runs, once the directory has another name.
  public func unlock() { _ = flock(directory.descriptor.rawValue, LOCK_UN) }

  /// Gives an attempt its final name, and waits until that is on disk. If another attempt was first, that one counts,
  /// and this one is removed.
  public func publishUnlessDone() throws(Failure) {
    try sync()
    try Interruption.uninterrupted { () throws(Failure) in
      do throws(Errno) {
        try place.parent.renameNew(name, to: place.name)
      } catch .fileExists {
        return
      } catch .directoryNotEmpty {
        return
      } catch {
        throw .inputOutput("\(place.shown): cannot be made: \(error)")
      }
      keep()
      try place.sync()
    }
  }

  /// From now on it stays, however the run ends.
  public func keep() { cleanup.withdraw() }

  /// Removes the directory with this name, with all its own files; the next run removes what cannot be removed.
  ///
  /// - Parameter exchanged: the directory that has the name now, if it is another one.
  /// - Returns: whether it is gone.
  @discardableResult
  public func takeAway(exchanged: Directory? = nil) -> Bool {
    keep()
    return Self.takeAway(exchanged ?? directory, name, in: place, isOwn)
  }

  @discardableResult
  private static func takeAway(
    _ directory: Directory, _ name: String, in place: OutputPlace, _ isOwn: OwnNames
  ) -> Bool {
    try? empty(directory, isOwn)
    return (try? place.parent.remove(name, isDirectory: true)) != nil
  }

  /// Removes all of its own files from a directory.
  private static func empty(_ directory: Directory, _ isOwn: OwnNames) throws(Errno) {
    for name in try directory.names() {
      if isOwn(name, true) {
        let folder = try directory.directory(name)
        for file in try folder.names() { try folder.remove(file) }
        try directory.remove(name, isDirectory: true)
      } else if isOwn(name, false) {
        try directory.remove(name)
      }
    }
  }
}
