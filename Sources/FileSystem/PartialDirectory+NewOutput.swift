/// A directory of many files, some of them in folders, that must not exist yet.
///
/// Files may be made by several threads.
extension PartialDirectory {
  /// Makes the directory of an output under its other name.
  ///
  /// Throws if the output exists, its parent does not, or another process is making it.
  /// - Parameter isOwn: what the directory may come to hold.
  public convenience init(newOutput path: String, isOwn: @escaping OwnNames) throws(FileFailure) {
    let place = try OutputPlace(path: path)
    try place.expectNothing()
    try self.init(place, isOwn: isOwn)
    // Another run may have published between the first look and the lock.
    try place.expectNothing()
  }

  /// Waits until a file is on its disk, and with it its name in its folder; in the tree itself `publish` sees to that.
  public func finish(_ file: OpenFile, folder: String?) throws(FileFailure) {
    try file.sync()
    if let folder { try using("\(shown)/\(folder)", "synced", directory.directory(folder).sync()) }
  }

  /// A file without a name, on the same disk.
  public func makeSpool() throws(FileFailure) -> SpoolFile { try SpoolFile(in: directory, shown: shown) }

  /// Gives the directory its name, once all its files are finished, and waits until that is on the disk.
  ///
  /// Where it throws, nothing stands at the output, unless the message says so.
  /// - Parameter exitCode: what a signal that comes later ends the process with.
  public func publish(exitCode: Int32) throws(FileFailure) {
    try sync()
    try Interruption.uninterrupted { () throws(FileFailure) in
      let doubt = try place.publish(name)
      keep()
      if let doubt { throw doubt }
      unlock()
      Interruption.conclude(exitCode: exitCode)
    }
  }
}
