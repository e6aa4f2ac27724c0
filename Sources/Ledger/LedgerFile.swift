import Failures
import FileSystem
import Glibc
import SystemPackage

/// The ledger's file before SQLite opens it.
enum LedgerFile {
  /// The file's path without links, so that a ledger has the same lock under each of its names.
  ///
  /// Throws if its folder does not exist, or if the path is not a regular file.
  static func resolve(_ path: String) throws(Failure) -> String {
    let parts = FilePath(path)
    do throws(Errno) {
      let real = try FileName.resolved(path)
      if try FileName.status(real).type == .regular { return real }
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unavailable("\(error)") }
      // Another run may have made the ledger by now.
      if let status = try? Stat(parts, followTargetSymlink: false), status.type == .symbolicLink {
        throw .unavailable("is a broken link")
      }
      guard let name = parts.lastComponent, name.kind == .regular else { throw .unavailable("is not a file name") }
      let folder = parts.removingLastComponent()
      do throws(Errno) {
        return FilePath(try FileName.resolved(folder.isEmpty ? "." : folder.string)).appending(name).string
      } catch {
        throw .unavailable("\(error); the ledger's folder must exist")
      }
    }
    throw .foreign("is not a ledger: it is not a regular file")
  }

  /// Makes the file if there is none: empty, and accessible only to its owner.
  static func make(_ path: String) throws(Failure) {
    do throws(Errno) {
      let made = try FileName.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
      try? made.close()
    } catch {
      guard error == .fileExists else { throw .unavailable("cannot make the ledger: \(error)") }
    }
  }

  /// Throws in cases that SQLite would not report: it opens a file for reading if it may not write it, and if it cannot
  /// look for the journal, it assumes that there is none, as if no run had been killed in a transaction.
  static func check(_ path: String, isReadOnly: Bool) throws(Failure) {
    do throws(Errno) {
      try FileName.expectAccess(path, forWriting: !isReadOnly)
      _ = try FileName.status(path + "-journal")
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unavailable("cannot open the ledger: \(error)") }
    }
  }

  /// The file's bytes, or nil.
  static func size(_ path: String) throws(Failure) -> Int? {
    do throws(Errno) {
      return Int(try FileName.status(path).size)
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw .unavailable("cannot examine the ledger: \(error)")
    }
  }

  /// Throws if a database without a journal is shorter than its first page says: SQLite reads a page that is cut short
  /// as if it ended with zeros.
  static func expectWhole(_ path: String, size: Int) throws(Failure) {
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

  /// Why the file cannot be read to its end; nil if it can, or does not exist. SQLite calls some of what it cannot read
  /// damage.
  static func readFailure(_ path: String) -> Failure? {
    do throws(Errno) {
      let file = try OpenFile(reading: path, waits: false)
      var piece: [UInt8] = []
      repeat { try file.read(1 << 20, into: &piece) } while !piece.isEmpty
    } catch {
      return error == .noSuchFileOrDirectory ? nil : .inputOutput("the ledger cannot be read: \(error)")
    }
    return nil
  }

  /// Long enough for the page size and the number of pages, which are at the start of a database.
  private static let headerLength = 32

  /// Waits until the names in the ledger's folder are on the disk.
  static func syncFolder(of path: String) throws(Failure) {
    do throws(Errno) {
      try Directory(path: FilePath(path).removingLastComponent().string).sync()
    } catch {
      throw .inputOutput("cannot sync the ledger's folder: \(error)")
    }
  }
}
