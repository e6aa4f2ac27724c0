import Digests
import Failures
import FileSystem
import Glibc
import SystemPackage
import Text

/// The files of a `SHA256SUMS`, in an open directory: checks that all are there and unchanged.
package struct SummedFiles {
  private let directory: Directory
  private let sums: String

  private static let pieceLength = 1 << 20

  /// - Parameter sums: the text of the `SHA256SUMS` that the directory should contain.
  package init(in directory: Directory, sums: String) {
    self.directory = directory
    self.sums = sums
  }

  /// The reports in the directory at a path; nil if it is gone.
  ///
  /// - Parameter path: the bytes of the absolute path.
  package init?(at path: [UInt8], sums: String) {
    guard let place = try? OutputPlace(path: FileName.string(path)),
      let directory = try? place.parent.directory(place.name)
    else { return nil }
    self.init(in: directory, sums: sums)
  }

  /// The names of the files, in their order.
  package var names: [String] { files.map(\.name) }

  /// The folders of files, in their order.
  package var folders: [String] {
    names.reduce(into: []) { folders, name in
      guard let slash = name.firstIndex(of: "/") else { return }
      let folder = String(name[..<slash])
      if folders.last != folder { folders.append(folder) }
    }
  }

  /// Whether the directory contains that `SHA256SUMS`, and each file in it with its sum.
  package func verify() -> Bool { holdsSums && (try? difference(shown: "")) == .some(nil) }

  /// The first file that is missing or has changed; throws if one cannot be read.
  ///
  /// - Parameter shown: the directory's path for messages.
  package func difference(shown: String) throws(Failure) -> String? {
    for (name, sum) in files + [(DigestList.fileName, sumsDigest)] {
      do throws(Errno) {
        if try read(name, { _ in true }) != sum { return name }
      } catch {
        if error == .noSuchFileOrDirectory { return name }
        throw .inputOutput("\(shown)/\(name): cannot be read: \(error)")
      }
    }
    return nil
  }

  /// Copies each file into another directory; returns false if one is missing or has changed: then the copies are
  /// useless.
  package func copy(to other: SettlementDirectory) throws(Failure) -> Bool {
    guard holdsSums else { return false }
    for folder in folders { try other.makeFolder(folder) }
    for (name, sum) in files {
      let copy = try other.makeFile(name)
      var failure: Failure?
      let found = try? read(name) { text in
        do throws(Failure) { try copy.write(text) } catch { failure = error }
        return failure == nil
      }
      if let failure { throw failure }
      guard found == sum else { return false }
      try other.finish(copy, name: name)
    }
    return true
  }

  /// Whether the directory's `SHA256SUMS` is the expected one.
  package var holdsSums: Bool { (try? read(DigestList.fileName) { _ in true }) == sumsDigest }

  private var sumsDigest: String { SHA256.digest(of: Array(sums.utf8)).hexadecimal }

  private var files: [(name: String, sum: String)] { DigestList.files(of: sums) }

  /// Reads a file in pieces and returns its SHA-256; nil if it is not a regular file, or `body` returns false.
  private func read(_ name: String, _ body: (Span<UInt8>) -> Bool) throws(Errno) -> String? {
    // Never waits for the writer of a pipe that someone put there.
    let file = try directory.open(name, O_RDONLY | O_NONBLOCK)
    defer { try? file.close() }
    guard try Stat(file).type == .regular else { return nil }
    var piece = TextBuffer(capacity: Self.pieceLength)
    var digest = SHA256()
    while true {
      piece.removeAll()
      try piece.append(atMost: Self.pieceLength) { room throws(Errno) in try file.read(into: &room) }
      guard !piece.isEmpty else { return digest.finalize().hexadecimal }
      digest.update(piece.span)
      guard body(piece.span) else { return nil }
    }
  }
}
