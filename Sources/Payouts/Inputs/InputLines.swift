import Digests
import FileSystem
import Glibc
import SystemPackage
import Text

/// The lines of a CSV file that a payout reads, once and in order; hashed as they are read.
///
/// Lines of only space, tab and CR are skipped but counted. Nothing is kept of a line over the limit.
package final class InputLines {
  /// The most bytes of a line without its ending.
  static let limit = 4096
  private static let pieceLength = 1 << 20

  /// The line without its ending; valid until the next one; empty if it is too long.
  private(set) var line = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Its number, from 1; after the last line, the number of lines in the file.
  private(set) var number = 0
  private(set) var isTooLong = false
  /// The bytes read so far.
  package private(set) var byteCount = 0

  private let file: OpenFile
  private var head: [UInt8]
  private var digest = SHA256()
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceLength + limit + 2)
  private var (start, end, hasEnded) = (0, 0, false)

  convenience init(path: String) throws(Errno) { try self.init(OpenFile(reading: path, waits: true)) }

  /// - Parameter head: the file's first bytes, if they are read already; at most 1 MiB.
  package init(_ file: OpenFile, head: [UInt8] = []) throws(Errno) {
    self.file = file
    self.head = head
    while end < 3, !hasEnded { try readOn() }
    if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
  }

  deinit { buffer.deallocate() }

  /// The SHA-256 of everything read, in hexadecimal digits.
  package var sha256: String { digest.finalize().hexadecimal }

  /// Goes to the next line that is not blank; false after the last.
  func next() throws(Errno) -> Bool {
    while let isBlank = try readLine() {
      if !isBlank { return true }
    }
    return false
  }

  /// Reads a line; true if it is blank, nil after the last.
  private func readLine() throws(Errno) -> Bool? {
    var (isBlank, scanned) = (true, 0)
    isTooLong = false
    while true {
      if let feed = memchr(buffer + start + scanned, 0x0A, end - start - scanned) {
        let whole = UnsafeRawPointer(feed) - UnsafeRawPointer(buffer + start)
        let hasReturn = whole > 0 && buffer[start + whole - 1] == 0x0D
        return take(whole, ending: hasReturn ? 2 : 1, isBlank)
      }
      scanned = end - start
      if hasEnded { return scanned == 0 && !isTooLong ? nil : take(scanned, ending: 0, isBlank) }
      if scanned > Self.limit + 1 {
        isBlank = isBlank && Self.isBlank(UnsafeBufferPointer(start: buffer + start, count: scanned - 1))
        isTooLong = true
        // A CR may belong to the ending.
        start += scanned - 1
        scanned = 1
      }
      try readOn()
    }
  }

  private func take(_ count: Int, ending: Int, _ wasBlank: Bool) -> Bool {
    let bytes = UnsafeBufferPointer(start: buffer + start, count: ending == 2 ? count - 1 : count)
    number += 1
    start += ending == 0 ? count : count + 1
    if bytes.count > Self.limit { isTooLong = true }
    line = isTooLong ? UnsafeBufferPointer(rebasing: bytes[..<0]) : bytes
    return wasBlank && Self.isBlank(bytes)
  }

  private static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private func readOn() throws(Errno) {
    if start > 0 {
      buffer.update(from: buffer + start, count: end - start)
      (start, end) = (0, end - start)
    }
    let count: Int
    if head.isEmpty {
      let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.pieceLength)
      count = try systemCall(throwing: { try file.descriptor.read(into: room) })
    } else {
      precondition(head.count <= Self.pieceLength)
      (buffer + end).update(from: head, count: head.count)
      count = head.count
      head = []
    }
    hasEnded = count == 0
    digest.update(UnsafeRawBufferPointer(start: buffer + end, count: count))
    end += count
    byteCount += count
  }
}
