import BatchRun
import Crypto
import Glibc

/// Line feeds in a text.
enum LineFeed {
  /// The length of the line at the start of `count` bytes, its line feed not counted; nil where none ends there.
  static func lineLength(_ text: UnsafePointer<UInt8>, count: Int) -> Int? {
    guard count > 0, let end = memchr(text, 0x0A, count) else { return nil }
    return UnsafeRawPointer(end) - UnsafeRawPointer(text)
  }
}

/// The lines of a stored report, read front to back in blocks and hashed as they are read.
///
/// The file may hold anything: a line is at most 65,536 bytes here, of a longer one the beginning is shown.
package final class ReportLines {
  /// The most bytes of a line; the longest that a run writes has some 25,000, a file's name of 4,096 bytes in it.
  package static let maximumLength = 1 << 16
  private static let blockLength = 1 << 20

  /// The file's name.
  package let name: String
  private let descriptor: Int32
  private let size: Int
  private let shownPath: String
  private let buffer: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var bytesRead = 0
  private var isSkipping = false
  private var sha256 = SHA256()

  /// The line's first byte; good until `next` is called again.
  package private(set) var line: UnsafePointer<UInt8>
  /// Its length, the line feed not counted.
  package private(set) var length = 0
  /// Its number, from 1.
  package private(set) var number = 0
  /// Whether it is over the limit, and only its beginning is here.
  private(set) var isTooLong = false
  /// Whether it ends in a line feed, as all lines of a report do.
  private(set) var hasLineFeed = false

  /// - Parameter size: the bytes that the file has; it must not change while it is read.
  init(name: String, descriptor: Int32, size: Int, shownPath: String) {
    self.name = name
    self.descriptor = descriptor
    self.size = size
    self.shownPath = shownPath
    buffer = .allocate(capacity: Self.maximumLength + Self.blockLength)
    line = UnsafePointer(buffer)
  }

  deinit {
    buffer.deallocate()
    close(descriptor)
  }

  /// Goes to the next line; false where there is none.
  package func next() throws(RunFailure) -> Bool {
    while true {
      if isSkipping { try skip() }
      if let length = LineFeed.lineLength(buffer + start, count: end - start) {
        take(length, hasLineFeed: true)
        start += 1
        return true
      }
      if end - start > Self.maximumLength {
        take(end - start, hasLineFeed: true)
        isSkipping = true
        return true
      }
      if hasEnded {
        guard end > start else { return false }
        take(end - start, hasLineFeed: false)
        return true
      }
      try readOn()
    }
  }

  /// The bytes of the line.
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: line, count: length) }

  /// Reads what is left and gives the SHA-256 of the whole file, in hexadecimal digits.
  package func finish() throws(RunFailure) -> String {
    while !hasEnded {
      start = end
      try readOn()
    }
    return Hexadecimal.text(sha256.finalize())
  }

  /// Reads the whole file, where nothing of it was read; nil where it is longer than `limit` bytes.
  package func wholeText(limit: Int) throws(RunFailure) -> [UInt8]? {
    var text: [UInt8]? = []
    while !hasEnded {
      start = end
      try readOn()
      text?.append(contentsOf: UnsafeBufferPointer(start: buffer + start, count: end - start))
      if let count = text?.count, count > limit { text = nil }
    }
    return text
  }

  private func take(_ count: Int, hasLineFeed: Bool) {
    line = UnsafePointer(buffer + start)
    isTooLong = count > Self.maximumLength
    length = min(count, Self.maximumLength)
    self.hasLineFeed = hasLineFeed
    start += count
    number += 1
  }

  /// Goes behind the line feed of a line that is over the limit.
  private func skip() throws(RunFailure) {
    isSkipping = false
    while true {
      start = end
      try readOn()
      guard end > start else { return }
      if let length = LineFeed.lineLength(buffer + start, count: end - start) {
        start += length + 1
        return
      }
    }
  }

  /// Reads on behind what is left of the last block.
  private func readOn() throws(RunFailure) {
    memmove(buffer, buffer + start, end - start)
    end -= start
    start = 0
    let count = SystemCall.retrying { read(descriptor, buffer + end, Self.blockLength) }
    guard count >= 0 else { throw .inputOutput("\(shownPath): cannot be read: \(String(cString: strerror(errno)))") }
    sha256.update(bufferPointer: UnsafeRawBufferPointer(start: buffer + end, count: count))
    end += count
    bytesRead += count
    hasEnded = count == 0
    guard bytesRead == size || !hasEnded && bytesRead < size else {
      throw .inputOutput("\(shownPath): had \(size) bytes, and \(bytesRead) could be read; somebody is changing it")
    }
  }
}

// What is said of lines.
extension ReportLines {
  /// A finding about the line.
  package func finding(_ reason: String) -> ReportFinding { ReportFinding(name, line: number, reason) }

  /// Whether the line is one that a report may have: not empty, not over the limit, with its line feed.
  package func isProperLine(_ log: FindingLog) -> Bool {
    if length > 0, !isTooLong, hasLineFeed { return true }
    if isTooLong {
      log.add(finding("has more than \(Self.maximumLength) bytes; no row of a report is that long"))
    } else if length == 0 {
      log.add(finding("is empty"))
    } else {
      log.add(finding("lacks its line feed; the file was cut short"))
    }
    return false
  }

  /// Takes the first line, which must be the header.
  package func takeHeader(_ columns: ReportColumns, _ log: FindingLog) throws(RunFailure) {
    guard try next() else { return log.add(ReportFinding(name, "is empty; expected the header row at least")) }
    guard isProperLine(log) else { return }
    let header = columns.header
    if length + 1 != header.utf8CodeUnitCount || memcmp(line, header.utf8Start, length) != 0 {
      log.add(
        ReportFinding(
          name, line: 1, field: "the header", found: ShownField.text(bytes),
          expected: String(header.description.dropLast()), "the columns are fixed"))
    }
  }
}
