import Digests
import Failures
import FileSystem
import Glibc
import Documents
import SystemPackage
import Text

/// Reports with known sums, in an open directory: checks that all are there and unchanged.
package struct KnownReports {
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

  /// Whether these are all reports of a settlement, as files or as folders of parts.
  package var isWholeSettlement: Bool { folders == ReportKind.folders || files.map(\.name) == ReportKind.fileNames }

  private var folders: [String] {
    ReportKind.folders.filter { folder in files.contains { $0.name.hasPrefix("\(folder)/") } }
  }

  /// Whether the directory contains that `SHA256SUMS`, and each file in it with its sum.
  package func verify() -> Bool { holdsSums && (try? difference(shown: "")) == .some(nil) }

  /// The first file that is missing or has changed; throws if one cannot be read.
  ///
  /// - Parameter shown: the directory's path for messages.
  package func difference(shown: String) throws(Failure) -> String? {
    for (name, sum) in files + [(ReportKind.sums, sumsDigest)] {
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
  package var holdsSums: Bool { (try? read(ReportKind.sums) { _ in true }) == sumsDigest }

  private var sumsDigest: String { SHA256.digest(of: Array(sums.utf8)).hexadecimal }

  /// Names and sums, from lines in the format of `sha256sum`: 64 digits, two spaces and the name.
  private var files: [(name: String, sum: String)] {
    sums.split(separator: "\n").map { (String($0.dropFirst(66)), String($0.prefix(64))) }
  }

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
