import FileSystem
import Glibc
import SystemPackage

/// The ledger's file before SQLite opens it.
enum LedgerFile {
  /// The file's path without links, so that one ledger has one lock by whatever name it is called.
  ///
  /// Throws if its folder does not exist, or where what stands there is no regular file.
  static func resolve(_ path: String) throws(LedgerFailure) -> String {
    let parts = FilePath(path)
    do throws(Errno) {
      let real = try FileName.resolved(path)
      if try FileName.status(real).type == .regular { return real }
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unavailable("\(error)") }
      guard (try? Stat(parts, followTargetSymlink: false)) == nil else {
        throw .unavailable("is a link that leads nowhere")
      }
      guard let name = parts.lastComponent, name.kind == .regular else { throw .unavailable("is no name of a file") }
      let folder = parts.removingLastComponent()
      do throws(Errno) {
        return FilePath(try FileName.resolved(folder.isEmpty ? "." : folder.string)).appending(name).string
      } catch {
        throw .unavailable("\(error); the ledger's folder must exist")
      }
    }
    throw .foreign("is no ledger: it is no regular file")
  }

  /// Makes the file, empty and for its owner alone, if there is none.
  static func make(_ path: String) throws(LedgerFailure) {
    do throws(Errno) {
      let made = try systemCall { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
      close(made)
    } catch {
      guard error == .fileExists else { throw .unavailable("cannot make the ledger: \(error)") }
    }
  }

  /// Throws if SQLite would not tell what is wrong with a file: it opens one for reading that it may not write, and
  /// takes a journal that it cannot look for as absent, as if no run had been killed in a transaction.
  static func check(_ path: String, isReadOnly: Bool) throws(LedgerFailure) {
    do throws(Errno) {
      try systemCall { access(path, isReadOnly ? R_OK : R_OK | W_OK) }
      _ = try FileName.status(path + "-journal")
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unavailable("cannot open the ledger: \(error)") }
    }
  }

  /// The file's bytes; nil if there is none.
  static func size(_ path: String) throws(LedgerFailure) -> Int? {
    do throws(Errno) {
      return Int(try FileName.status(path).size)
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw .unavailable("cannot examine the ledger: \(error)")
    }
  }

  /// Throws if a database without a journal beside it is shorter than its first page says: SQLite takes a page that is
  /// cut for one that ends with zeros.
  static func expectWhole(_ path: String, size: Int) throws(LedgerFailure) {
    guard size >= headerLength, try Self.size(path + "-journal") == nil else { return }
    let header: [UInt8]
    do throws(Errno) {
      header = try OpenFile(reading: path, waits: false).bytes(atMost: headerLength)
    } catch {
      throw .unavailable("cannot open the ledger: \(error)")
    }
    guard header.starts(with: "SQLite format 3\0".utf8) else { return }
    func number(_ place: Int, _ length: Int) -> Int { header[place..<place + length].reduce(0) { $0 << 8 | Int($1) } }
    let whole = number(16, 2) * number(28, 4)
    guard size >= whole else { throw .damaged("the ledger is cut short: it has \(size) bytes of \(whole)") }
  }

  /// Where the size of a page and the number of pages stand in a database.
  private static let headerLength = 32

  /// Waits until the names in the ledger's folder are on its disk.
  static func syncFolder(of path: String) throws(LedgerFailure) {
    do throws(Errno) {
      try Directory(path: FilePath(path).removingLastComponent().string).sync()
    } catch {
      throw .inputOutput("cannot sync the ledger's folder: \(error)")
    }
  }
}
