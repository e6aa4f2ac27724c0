import BatchFile
import Glibc

/// Open directories: what is in them, opened and removed without following a link.
package enum OpenDirectory {
  /// Opens a directory in another: its descriptor, or -1 with `errno`. A link is none.
  static func open(_ name: String, in parent: Int32) -> Int32 {
    FileName.withCString(name) { name in
      SystemCall.retrying { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }
  }

  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// The names in a directory; nil, with `errno`, where it cannot be listed.
  static func names(_ descriptor: Int32) -> [String]? { nameBytes(descriptor)?.map { FileName.string($0) } }

  /// The same names as bytes; of a crowd only some.
  package static func nameBytes(_ descriptor: Int32, atMost most: Int = .max) -> [[UInt8]]? {
    // A descriptor of its own, as listing moves its place and closes it.
    let listed = open(".", in: descriptor)
    guard listed >= 0 else { return nil }
    guard let directory = fdopendir(listed) else {
      let code = errno
      close(listed)
      errno = code
      return nil
    }
    var names: [[UInt8]] = []
    var code: Int32 = 0
    while names.count < most {
      errno = 0
      guard let entry = readdir(directory) else {
        code = errno
        break
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    closedir(directory)
    errno = code
    return code == 0 ? names : nil
  }

  /// Removes files from a directory, where they are there; false, with `errno`, where one stays.
  static func remove(_ names: [String], from descriptor: Int32) -> Bool {
    var code: Int32 = 0
    for name in names where SystemCall.retrying({ unlinkat(descriptor, name, 0) }) != 0 && errno != ENOENT {
      code = errno
    }
    errno = code
    return code == 0
  }
}
