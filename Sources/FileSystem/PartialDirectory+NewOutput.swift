import Failures

/// A directory of many files, some of them in folders, that must not exist yet.
///
/// Files may be made by several threads.
extension PartialDirectory {
  /// Makes the directory of an output under its temporary name.
  ///
  /// Throws if the output exists, its parent does not, or another process is making it.
  /// - Parameter isOwn: the names that the directory may contain.
  public convenience init(newOutput path: String, isOwn: @escaping OwnNames) throws(Failure) {
    let place = try OutputPlace(path: path)
    try place.expectNothing()
    try self.init(place, isOwn: isOwn)
    // Another run may have published between the first check and the lock.
    try place.expectNothing()
  }

  /// Waits until a file and its name in its folder are on disk. For names in the directory itself, `publish` does that.
  public func finish(_ file: OpenFile, folder: String?) throws(Failure) {
    try file.sync()
    if let folder { try using("\(shown)/\(folder)", "synced", directory.directory(folder).sync()) }
  }

  /// A file without a name, on the same disk.
  public func makeSpool() throws(Failure) -> SpoolFile { try SpoolFile(in: directory, shown: shown) }

  /// Gives the directory its final name, after all its files are finished, and waits until that is on disk.
  ///
  /// If it throws, nothing is at the output, unless the message says so.
  /// - Parameter exitCode: the exit code if a signal ends the process later.
  public func publish(exitCode: Int32) throws(Failure) {
    try sync()
    try Interruption.uninterrupted { () throws(Failure) in
      let doubt = try place.publish(name)
      keep()
      if let doubt { throw doubt }
      unlock()
      Interruption.conclude(exitCode: exitCode)
    }
  }
}
