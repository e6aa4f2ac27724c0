import BatchFile
import Glibc

/// Whether two paths lead to one place, whatever they are called.
public enum PathPlace {
  /// Whether two paths name the same file, or the same one that is still to be made. Links are followed.
  ///
  /// False where the system does not tell.
  public static func isSame(_ path: String, _ other: String) -> Bool {
    if let one = status(path), let two = status(other) { return one == two }
    let (one, two) = (OutputPlace.parts(path), OutputPlace.parts(other))
    guard FileName.bytes(one.name) == FileName.bytes(two.name), let parent = status(one.parent) else { return false }
    return parent == status(two.parent)
  }

  /// Whether a path leads into a directory itself, not into one that is in it.
  public static func isIn(_ path: String, directory: String) -> Bool {
    isSame(OutputPlace.parts(path).parent, directory)
  }

  private static func status(_ path: String) -> [UInt64]? {
    var status = stat()
    guard FileName.withCString(path, { stat($0, &status) }) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
