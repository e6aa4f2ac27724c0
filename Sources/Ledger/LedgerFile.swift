import Glibc

/// The ledger's file before SQLite opens it.
enum LedgerFile {
  /// The file's path without links, so that one ledger has one lock by whatever name it is called.
  ///
  /// Throws where its folder does not exist, or where what stands there is no regular file.
  static func resolve(_ path: String) throws(LedgerFailure) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unavailable("is no name of a file") }
    if let real = realPath(path) {
      var status = stat()
      guard stat(real, &status) == 0 else { throw .unavailable(LedgerLock.text(errno)) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw .unusable("is no ledger: it is no regular file") }
      return real
    }
    guard errno == ENOENT else { throw .unavailable(LedgerLock.text(errno)) }
    var status = stat()
    guard lstat(path, &status) != 0 else { throw .unavailable("is a link that leads nowhere") }
    // By bytes: to a string, a slash with a combining mark behind it is another character.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    guard !name.isEmpty, name != ".", name != ".." else { throw .unavailable("is no name of a file") }
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let real = realPath(folder) else {
      throw .unavailable("\(LedgerLock.text(errno)); the ledger's folder must exist")
    }
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  /// Makes the file, empty and for its owner alone, where there is none.
  static func make(_ path: String) throws(LedgerFailure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .unavailable("cannot make the ledger: \(LedgerLock.text(errno))")
    }
  }

  /// The file's bytes; nil where there is none, or the system does not tell.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
