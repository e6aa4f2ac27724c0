import Crypto
import Glibc
import Reports

/// Reports whose sums are known, in an open directory: whether they are all there, as they were.
struct KnownReports {
  private let directory: Int32
  private let sums: String

  private static let pieceLength = 1 << 20
  private static let longestSums = 1 << 16

  /// - Parameters:
  ///   - directory: the open directory; it stays the caller's.
  ///   - sums: the text of the `SHA256SUMS` that it should hold.
  init(in directory: Int32, sums: String) {
    self.directory = directory
    self.sums = sums
  }

  /// Whether the directory holds that `SHA256SUMS`, and each file that stands in it with that sum.
  func verify() -> Bool {
    guard holdsSums(), let files = Self.parse(sums) else { return false }
    return files.allSatisfy { name, sum in read(name) { _, _ in true } == sum }
  }

  /// Writes each file into another directory; false where one is not what it should be, and what was written is of no
  /// use.
  func copy(to other: SettlementDirectory) throws(RunFailure) -> Bool {
    guard holdsSums(), let files = Self.parse(sums), files.map(\.name) == ReportNames.reports else {
      return false
    }
    for (name, sum) in files {
      let copy = try other.makeFile(name)
      var failure: RunFailure?
      let found = read(name) { bytes, count in
        do throws(RunFailure) { try copy.write(bytes, count: count) } catch { failure = error }
        return failure == nil
      }
      if let failure { throw failure }
      guard found == sum else { return false }
      try other.finish(copy, name: name)
    }
    return true
  }

  /// Whether the directory's `SHA256SUMS` is the one it should be.
  func holdsSums() -> Bool {
    var text: [UInt8] = []
    let sum = read(ReportNames.sums) { bytes, count in
      text += UnsafeBufferPointer(start: bytes, count: count)
      return text.count <= Self.longestSums
    }
    return sum != nil && text == Array(sums.utf8)
  }

  /// Names and sums as `sha256sum` writes them; nil where a line is none, or names what is not in the directory.
  private static func parse(_ sums: String) -> [(name: String, sum: String)]? {
    var files: [(name: String, sum: String)] = []
    for line in sums.split(separator: "\n") {
      guard let space = line.firstRange(of: "  "), !line[space.upperBound...].utf8.contains(UInt8(ascii: "/")) else {
        return nil
      }
      files.append((String(line[space.upperBound...]), String(line[..<space.lowerBound])))
    }
    return files.isEmpty ? nil : files
  }

  /// Reads a file piece by piece and gives its SHA-256; nil where it is no file, cannot be read, or `body` ends it.
  private func read(_ name: String, _ body: (UnsafePointer<UInt8>, Int) -> Bool) -> String? {
    // Not to wait for the writer of a pipe that somebody put there.
    let file = SystemCall.retrying { openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    var digest = SHA256()
    while true {
      let count = SystemCall.retrying { Glibc.read(file, piece, Self.pieceLength) }
      guard count >= 0 else { return nil }
      if count == 0 { return Hexadecimal.text(digest.finalize()) }
      digest.update(bufferPointer: UnsafeRawBufferPointer(start: piece, count: count))
      guard body(piece, count) else { return nil }
    }
  }
}
