import BatchFile
import Glibc

/// Open directories: what is in them, opened and removed without following a link.
enum OpenDirectory {
  /// Opens a directory in another: its descriptor, or -1 with `errno`. A link is none.
  static func open(_ name: String, in parent: Int32) -> Int32 {
    FileName.withCString(name) { name in
      SystemCall.retrying { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }
  }

  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// The names in a directory; nil, with `errno`, where it cannot be listed.
  static func names(_ descriptor: Int32) -> [String]? {
    // A descriptor of its own, as listing moves its place and closes it.
    let listed = open(".", in: descriptor)
    guard listed >= 0 else { return nil }
    guard let directory = fdopendir(listed) else {
      let code = errno
      close(listed)
      errno = code
      return nil
    }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        let code = errno
        closedir(directory)
        errno = code
        return code == 0 ? names : nil
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        let room = MemoryLayout.size(ofValue: tuple.pointee)
        return tuple.withMemoryRebound(to: UInt8.self, capacity: room) {
          FileName.string(Array(UnsafeBufferPointer(start: $0, count: room).prefix { $0 != 0 }))
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
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
