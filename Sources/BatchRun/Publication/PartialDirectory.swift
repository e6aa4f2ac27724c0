import BatchFile
import Glibc

/// A directory under another name until it is complete: `.NAME.partial` beside its place, for this user alone.
///
/// It is locked by `flock` while a run is at work on it, so that a second run on the same output ends at once, and so
/// that what a killed run left, which holds no lock, can be told and cleared away by the next.
final class PartialDirectory: Sendable {
  let place: OutputPlace
  let name: String
  let descriptor: Int32
  private let content: HeldContent

  /// Makes the directory, or takes over what a killed run left of one, and empties it unless it is to keep its files.
  ///
  /// Throws where it cannot be made, another run holds it, or what stands there is not what a run leaves.
  /// - Parameter content: what it may come to hold.
  init(_ place: OutputPlace, holding content: HeldContent, keepsFiles: Bool = false) throws(RunFailure) {
    self.place = place
    self.content = content
    name = Self.name(of: place)
    descriptor = try Self.open(name, in: place, content: content, keepsFiles: keepsFiles)
  }

  /// The same of a directory that may come to hold these files.
  convenience init(_ place: OutputPlace, fileNames: [String], keepsFiles: Bool = false) throws(RunFailure) {
    try self.init(place, holding: .files(fileNames), keepsFiles: keepsFiles)
  }

  deinit { close(descriptor) }

  /// The directory's path for messages.
  var shown: String { place.shown(beside: name) }

  private static func name(of place: OutputPlace) -> String { ".\(place.name).partial" }

  /// Whether a run is at work at a place, or left something there.
  static func exists(_ place: OutputPlace) throws(RunFailure) -> Bool {
    try FileIdentity.of(name(of: place), in: place) != nil
  }

  // MARK: Making

  private static func open(
    _ name: String, in place: OutputPlace, content: HeldContent, keepsFiles: Bool
  ) throws(RunFailure) -> Int32 {
    // A run that ends between the steps may take the name away; then it is made again.
    for _ in 0..<100 {
      let isNew = try make(name, in: place)
      do throws(RunFailure) {
        guard let descriptor = try lock(name, in: place) else { continue }
        do throws(RunFailure) {
          let shown = place.shown(beside: name)
          try takeOver(descriptor, shown: shown, content: content)
          guard keepsFiles || content.remove(descriptor) else {
            throw .unavailable(errno, shown, "emptied")
          }
        } catch {
          close(descriptor)
          throw error
        }
        return descriptor
      } catch {
        if isNew, error.exitCode != RunFailure.busy("").exitCode { remove(name, in: place) }
        throw error
      }
    }
    throw .busy("\(place.shown(beside: name)): other runs keep taking this output")
  }

  /// Makes the directory; false where one is there.
  private static func make(_ name: String, in place: OutputPlace) throws(RunFailure) -> Bool {
    let isNew = FileName.withCString(name) { name in
      guard SystemCall.retrying({ mkdirat(place.parent, name, 0o700) }) == 0 else { return false }
      // What the umask took away, lest it cannot be opened; it is a new directory of this user's.
      _ = fchmodat(place.parent, name, 0o700, AT_SYMLINK_NOFOLLOW)
      return true
    }
    guard isNew || errno == EEXIST else { throw .unavailable(errno, place.shown(beside: name), "made") }
    return isNew
  }

  /// Opens and locks the directory; nil where it has lost its name meanwhile.
  private static func lock(_ name: String, in place: OutputPlace) throws(RunFailure) -> Int32? {
    let shown = place.shown(beside: name)
    let descriptor = OpenDirectory.open(name, in: place.parent)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .unavailable(errno, shown, "opened") }
    do throws(RunFailure) {
      try FileLock.take(descriptor, shown: shown, holder: "another run is at work on this output")
      if try FileIdentity.of(descriptor, shown: shown) == FileIdentity.of(name, in: place) { return descriptor }
    } catch {
      close(descriptor)
      throw error
    }
    close(descriptor)
    return nil
  }

  /// Makes sure that nobody else can write to what stands there, and that it is what an interrupted run leaves.
  private static func takeOver(_ descriptor: Int32, shown: String, content: HeldContent) throws(RunFailure) {
    var status = stat()
    guard SystemCall.retrying({ fstat(descriptor, &status) }) == 0 else {
      throw .unavailable(errno, shown, "examined")
    }
    guard status.st_uid == geteuid() else {
      throw .outputUnavailable("\(shown): belongs to user \(status.st_uid), where this run is user \(geteuid())")
    }
    guard SystemCall.retrying({ fchmod(descriptor, 0o700) }) == 0 else {
      throw .unavailable(errno, shown, "given mode 0700")
    }
    guard let names = OpenDirectory.names(descriptor) else { throw .unavailable(errno, shown, "listed") }
    if let stranger = names.sorted().first(where: { !content.isKnown($0) }) {
      throw .outputUnavailable(
        "\(shown): holds \(OutputPlace.shown(stranger)), which no run has left there; move it elsewhere")
    }
  }

  /// A new file in the directory, for this user alone.
  func makeFile(_ name: String) throws(RunFailure) -> ReportFile {
    let file = SystemCall.retrying {
      openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw .failed(errno, "\(shown)/\(name)", "made") }
    let report = ReportFile(shown: "\(shown)/\(name)", descriptor: file)
    guard SystemCall.retrying({ fchmod(file, 0o600) }) == 0 else {
      throw .failed(errno, "\(shown)/\(name)", "given mode 0600")
    }
    return report
  }

  // MARK: Ending

  /// Waits until the names of its files are on its disk.
  func sync() throws(RunFailure) {
    guard OutputPlace.syncDirectory(descriptor) == 0 else { throw .failed(errno, shown, "synced") }
  }

  /// Lets other runs have the directory, which has another name now.
  func unlock() { FileLock.release(descriptor) }

  /// Removes what bears the directory's name, with all it holds; what cannot be removed is left to the next run.
  ///
  /// - Parameter exchanged: the directory that bears the name now, where it is another.
  /// - Returns: whether it is gone; else `errno` tells why not.
  @discardableResult
  func takeAway(exchanged: Int32? = nil) -> Bool {
    _ = content.remove(exchanged ?? descriptor)
    return Self.remove(name, in: place)
  }

  @discardableResult
  private static func remove(_ name: String, in place: OutputPlace) -> Bool {
    FileName.withCString(name) { name in SystemCall.retrying { unlinkat(place.parent, name, AT_REMOVEDIR) } } == 0
  }
}

/// What a directory under another name may hold, and how that is removed.
struct HeldContent: Sendable {
  /// Whether a name is one that a run leaves.
  let isKnown: @Sendable (String) -> Bool
  /// Removes all of these from an open directory; false, with `errno`, where one stays.
  let remove: @Sendable (Int32) -> Bool

  /// Files of these names.
  static func files(_ names: [String]) -> HeldContent {
    HeldContent(isKnown: { names.contains($0) }, remove: { OpenDirectory.remove(names, from: $0) })
  }
}
