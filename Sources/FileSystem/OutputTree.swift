/// A directory of many files, some of them in folders, that appears complete or not at all.
///
/// It is made under another name beside its place (`PartialDirectory`) and renamed in the end. One that is not published
/// is taken away with its owner, or when the process is interrupted; what a killed process left is cleared away by the
/// next. Files may be made by several threads.
public final class OutputTree: Sendable {
  private let partial: PartialDirectory

  /// Makes the directory under its other name.
  ///
  /// Throws where the output exists, its parent does not, or another process is making it.
  /// - Parameter isOwn: what the directory may come to hold.
  public init(path: String, isOwn: @escaping PartialDirectory.OwnNames) throws(FileFailure) {
    let place = try OutputPlace(path: path)
    try place.expectNothing()
    partial = try PartialDirectory(place, isOwn: isOwn)
    // Another run may have published between the first look and the lock.
    try place.expectNothing()
  }

  /// A new file, for this user alone; in a folder that is made with it, where one is named.
  public func makeFile(_ name: String, folder: String?) throws(FileFailure) -> OpenFile {
    try Interruption.uninterrupted { () throws(FileFailure) in
      if let folder { try partial.makeFolder(folder) }
      return try partial.makeFile(name, folder: folder)
    }
  }

  /// Waits until a file is on its disk, and with it its name in its folder; in the tree itself `publish` sees to that.
  public func finish(_ file: OpenFile, folder: String?) throws(FileFailure) {
    try file.sync()
    if let folder { try using("\(partial.shown)/\(folder)", "synced", partial.directory.directory(folder).sync()) }
  }

  /// A file without a name, on the same disk.
  public func makeSpool() throws(FileFailure) -> SpoolFile {
    try SpoolFile(in: partial.directory, shown: partial.shown)
  }

  /// Gives the directory its name, once all its files are finished, and waits until that is on the disk.
  ///
  /// Where it throws, nothing stands at the output, unless the message says so.
  /// - Parameter exitCode: what a signal that comes later ends the process with.
  public func publish(exitCode: Int32) throws(FileFailure) {
    try partial.sync()
    try Interruption.uninterrupted { () throws(FileFailure) in
      let doubt = try partial.place.publish(partial.name)
      partial.keep()
      if let doubt { throw doubt }
      partial.unlock()
      Interruption.conclude(exitCode: exitCode)
    }
  }
}
