import BatchFile
import CSystemCalls
import Glibc
import Synchronization
import Threads

/// A directory of many files, some of them in folders, that appears complete or not at all.
///
/// It is made under another name beside its place (`PartialDirectory`) and renamed in the end. One that is not published
/// is taken away with its owner, or when the process is interrupted; what a killed process left is cleared away by the
/// next. Files may be made by several threads.
public final class OutputTree: Sendable {
  private let place: OutputPlace
  private let partial: PartialDirectory
  private let content: OwnContent
  private let cleanup: Interruption.Cleanup
  private let isPublished = Atomic(false)
  /// Why something could not be brought to its disk; 0 where all could.
  private let syncFailure = Atomic<Int32>(0)

  /// Makes the directory under its other name.
  ///
  /// Throws where the output exists, its parent does not, or another process is making it.
  /// - Parameter isOwn: whether a name in the directory, of a folder or of a file, is one that it may come to hold: what
  ///   is not is never removed. All that stands in its folders is its own.
  public init(
    path: String, isOwn: @escaping @Sendable (_ name: String, _ isFolder: Bool) -> Bool
  ) throws(RunFailure) {
    let place = try OutputPlace(path: path)
    let content = OwnContent(isOwn: isOwn)
    self.place = place
    self.content = content
    try Self.checkTarget(place)
    (partial, cleanup) = try Interruption.uninterrupted { () throws(RunFailure) in
      let partial = try PartialDirectory(place, holding: content.held)
      return (partial, Interruption.Cleanup { Self.takeAway(partial, content) })
    }
    try Self.checkTarget(place)
  }

  deinit {
    if !isPublished.load(ordering: .relaxed) { Self.takeAway(partial, content) }
    cleanup.withdraw()
  }

  private static func checkTarget(_ place: OutputPlace) throws(RunFailure) {
    guard try FileIdentity.of(place.name, in: place) != nil else { return }
    throw .outputUnavailable("\(place.shown): exists already; name another output")
  }

  /// Removes it; other threads may be making files at that time.
  private static func takeAway(_ partial: PartialDirectory, _ content: OwnContent) {
    content.isEnding.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<100 {
      if partial.takeAway() || errno != ENOTEMPTY { return }
      usleep(2000)
    }
  }

  // MARK: Files

  /// A file that is being written.
  public final class File {
    private let descriptor: Int32
    private let partial: PartialDirectory
    private let folder: String?
    private let name: String
    private var isOpen = true

    fileprivate init(_ descriptor: Int32, _ partial: PartialDirectory, folder: String?, name: String) {
      self.descriptor = descriptor
      self.partial = partial
      self.folder = folder
      self.name = name
    }

    private var shown: String { OutputTree.shown(partial, folder, name) }

    deinit { if isOpen { _ = Glibc.close(descriptor) } }

    /// Writes all bytes.
    public func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
      try Descriptor.writeAll(descriptor, bytes, count: count, name: shown)
    }

    /// Ends the writing.
    public func close() throws(RunFailure) {
      isOpen = false
      guard Glibc.close(descriptor) == 0 || errno == EINTR else { throw .failed(errno, shown, "closed") }
    }
  }

  /// Makes a folder of the directory, for this user alone. Best by one thread at a time: of several that make names in
  /// one directory, the system lets one do so and the others spin.
  public func makeFolder(_ name: String) throws(RunFailure) {
    waitForEnd()
    let result = SystemCall.retrying { mkdirat(partial.descriptor, name, 0o700) }
    guard result == 0 else { throw .failed(errno, "\(partial.shown)/\(name)", "made") }
  }

  /// Where the process is about to end, nothing new is made while what there is is taken away.
  private func waitForEnd() {
    while content.isEnding.load(ordering: .sequentiallyConsistent) { pause() }
  }

  /// A new file, for this user alone; in a folder that was made.
  public func makeFile(_ name: String, folder: String?) throws(RunFailure) -> File {
    waitForEnd()
    let directory = partial.descriptor
    let path = folder.map { "\($0)/\(name)" } ?? name
    let file = SystemCall.retrying {
      openat(directory, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw .failed(errno, Self.shown(partial, folder, name), "made") }
    return File(file, partial, folder: folder, name: name)
  }

  private static func shown(_ partial: PartialDirectory, _ folder: String?, _ name: String) -> String {
    "\(partial.shown)/" + (folder.map { "\($0)/" } ?? "") + name
  }

  /// A file without a name, on the same disk.
  public func makeSpool() throws(RunFailure) -> SpoolFile {
    try SpoolFile(in: partial.descriptor, shown: partial.shown)
  }

  // MARK: Publishing

  /// Does what makes files, while what is made already is brought to its disk.
  public func fill(_ body: @Sendable () throws(RunFailure) -> Void) throws(RunFailure) {
    try WorkerThreads.run(
      body,
      beside: { [self] isDone in
        while !isDone() {
          sync()
          for _ in 0..<20 where !isDone() { usleep(20_000) }
        }
      })
  }

  /// Brings all that there is to its disk; a failure is remembered, as the system tells it only once.
  private func sync() {
    guard SystemCall.retrying({ settle_sync_file_system(partial.descriptor) }) != 0 else { return }
    syncFailure.store(errno, ordering: .relaxed)
  }

  /// Brings all to its disk, gives the directory its name, and waits until that is on the disk.
  ///
  /// Where it throws, nothing stands at the output, unless the message says so.
  /// - Parameter exitCode: what a signal that comes later ends the process with.
  public func publish(exitCode: Int32) throws(RunFailure) {
    // One call for all files: many thousands of them, one by one, would take hours.
    sync()
    let code = syncFailure.load(ordering: .relaxed)
    guard code == 0 else { throw .failed(code, partial.shown, "synced") }
    try Interruption.uninterrupted { () throws(RunFailure) in
      let doubt = try place.publish(partial.name)
      isPublished.store(true, ordering: .relaxed)
      cleanup.withdraw()
      if let doubt { throw doubt }
      partial.unlock()
      Interruption.conclude(exitCode: exitCode)
    }
  }
}

/// What an output tree may hold, and whether it is being taken away.
private final class OwnContent: Sendable {
  let isOwn: @Sendable (String, Bool) -> Bool
  let isEnding = Atomic(false)

  init(isOwn: @escaping @Sendable (String, Bool) -> Bool) { self.isOwn = isOwn }

  var held: HeldContent {
    HeldContent(
      isKnown: { name in self.isOwn(name, true) || self.isOwn(name, false) },
      remove: { directory in self.remove(from: directory) })
  }

  /// Removes all of its own from an open directory; false, with `errno`, where something stays.
  private func remove(from directory: Int32) -> Bool {
    guard let names = OpenDirectory.names(directory) else { return false }
    var code: Int32 = 0
    for name in names {
      if isOwn(name, true) {
        let folder = OpenDirectory.open(name, in: directory)
        if folder >= 0 {
          defer { OpenDirectory.close(folder) }
          if !OpenDirectory.remove(OpenDirectory.names(folder) ?? [], from: folder) { code = errno }
          if unlinkat(directory, name, AT_REMOVEDIR) != 0, errno != ENOENT { code = errno }
        } else if errno != ENOENT {
          code = errno
        }
      } else if isOwn(name, false), !OpenDirectory.remove([name], from: directory) {
        code = errno
      }
    }
    errno = code
    return code == 0
  }
}
