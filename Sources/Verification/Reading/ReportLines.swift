import BatchRun
import Digests
import Failures
import FileSystem
import Glibc
import Reports
import SystemPackage
import Text

/// The length of the line at the start of `count` bytes, without its line feed; nil if there is no line feed.
func lineLength(_ text: UnsafePointer<UInt8>, count: Int) -> Int? {
  guard count > 0, let end = memchr(text, 0x0A, count) else { return nil }
  return UnsafeRawPointer(end) - UnsafeRawPointer(text)
}

/// The lines of a stored report, read front to back in blocks and hashed while they are read.
///
/// The file may contain anything. If a line has more than 65,536 bytes, only its beginning is returned, and no line
/// after it.
package final class ReportLines {
  /// The most bytes of a line. The longest that a run writes has about 25,000, including a file name of 4,096 bytes.
  private static let maximumLength = 1 << 16
  private static let blockLength = 1 << 20

  /// The file's name.
  package let name: String
  /// The columns of the report; empty if the file is not CSV.
  package let columns: [String]
  private var file: OpenFile?
  /// The size of the current file when it was opened, and the bytes read so far.
  private var size = 0
  private var bytesRead = 0
  /// The name of the current file, and the parts after it.
  private var fileName = ""
  private var partsLeft: ArraySlice<ReportPart>
  private let directory: Directory
  /// The SHA-256 of each file, once everything is read; empty if they are not wanted.
  package private(set) var digests: [(name: String, digest: String)] = []
  /// When the file was last written to, in seconds since 1970.
  let modified: Int
  private let shownPath: String
  private let buffer: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var sha256 = SHA256()
  private let isHashed: Bool

  /// The line without its line feed; valid until `next` is called again.
  package private(set) var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Its number, from 1.
  package private(set) var number = 0
  /// Whether it is over the limit, and only its beginning is here.
  private(set) var isTooLong = false
  /// Whether it ends in a line feed, as all lines of a report do.
  private(set) var hasLineFeed = false

  /// Reads the parts of a report, one after the other. Their sizes must not change.
  ///
  /// - Parameters:
  ///   - shownPath: the path for messages.
  ///   - isHashed: whether digests are wanted.
  init(name: String, parts: [ReportPart], in directory: Directory, shownPath: String, isHashed: Bool = true) {
    (self.name, self.isHashed) = (name, isHashed)
    columns = ReportKind(rawValue: name)?.columns ?? PayoutReport(rawValue: name)?.columns ?? []
    partsLeft = parts[...]
    self.directory = directory
    modified = parts.first?.modified ?? 0
    self.shownPath = shownPath
    buffer = .allocate(capacity: Self.maximumLength + Self.blockLength)
  }

  deinit { buffer.deallocate() }

  /// Goes on to the next part; false at the end.
  private func openPart() throws(Errno) -> Bool {
    guard let part = partsLeft.popFirst() else { return false }
    file = try part.opened(in: directory)
    (fileName, size, bytesRead) = (part.name, part.size, 0)
    sha256 = SHA256()
    return true
  }

  /// Goes to the next line; false at the end.
  package func next() throws(Failure) -> Bool {
    guard !isTooLong else { return false }
    while true {
      if let length = lineLength(buffer + start, count: end - start) {
        take(length, hasLineFeed: true)
        start += 1
        return true
      }
      if end - start > Self.maximumLength || hasEnded {
        guard end > start else { return false }
        take(end - start, hasLineFeed: false)
        return true
      }
      try readOn()
    }
  }

  /// Reads the rest; the digests are known afterwards.
  package func finish() throws(Failure) {
    while !hasEnded {
      start = end
      try readOn()
    }
  }

  /// Reads the whole file, of which nothing was read before; nil if it is longer than `limit` bytes.
  func wholeText(limit: Int) throws(Failure) -> [UInt8]? {
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
    isTooLong = count > Self.maximumLength
    bytes = UnsafeBufferPointer(start: buffer + start, count: min(count, Self.maximumLength))
    self.hasLineFeed = hasLineFeed
    start += count
    number += 1
  }

  /// Reads the next block after the unread rest of the last one.
  private func readOn() throws(Failure) {
    memmove(buffer, buffer + start, end - start)
    end -= start
    start = 0
    let count: Int
    do throws(Errno) {
      if file == nil, try !openPart() {
        hasEnded = true
        return
      }
      let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.blockLength)
      count = try systemCall(throwing: { try file!.descriptor.read(into: room) })
    } catch {
      throw .inputOutput("\(shownPath): cannot be read: \(error)")
    }
    bytesRead += count
    guard count > 0 ? bytesRead <= size : bytesRead == size else {
      throw .inputOutput("\(shownPath): had \(size) bytes, and \(bytesRead) could be read; it is being changed")
    }
    if isHashed { sha256.update(buffer + end, count: count) }
    end += count
    guard count == 0 else { return }
    if isHashed { digests.append((fileName, sha256.finalize().hexadecimal)) }
    do throws(Errno) { hasEnded = try !openPart() } catch {
      throw .inputOutput("\(shownPath): a part cannot be read: \(error)")
    }
  }
}

// Findings on lines.
extension ReportLines {
  /// Adds a finding on a field of the line.
  package func note(_ fault: RowFault, in row: ReportRow, _ log: FindingLog) {
    log.add(name, line: number, field: fault.column, found: MessageText.text(row.fields[fault.place]), fault.reason)
  }

  /// Whether a report may have such a line: not empty, not over the limit, with its line feed.
  private func isProperLine(_ log: FindingLog) -> Bool {
    if !bytes.isEmpty, !isTooLong, hasLineFeed { return true }
    if isTooLong {
      log.add(name, line: number, "has more than \(Self.maximumLength) bytes; no row of a report is that long")
    } else {
      log.add(name, line: number, bytes.isEmpty ? "is empty" : "lacks its line feed; the file was cut short")
    }
    return false
  }

  /// Takes the first line, which must be the header.
  package func takeHeader(_ log: FindingLog) throws(Failure) {
    guard try next() else { return log.add(name, "is empty; expected the header row at least") }
    let header = columns.joined(separator: ",")
    if isProperLine(log), !bytes.elementsEqual(header.utf8) {
      log.add(
        name, line: 1, field: "the header", found: MessageText.text(bytes), expected: header, "the columns are fixed")
    }
  }

  /// Splits the line; false, with a finding, if it is not a row of the report.
  package func split(into row: inout ReportRow, _ log: FindingLog) -> Bool {
    guard isProperLine(log) else { return false }
    row.split(bytes)
    if row.fields.count != columns.count { log.add(name, line: number, "is not a row of \(columns.count) fields") }
    return row.fields.count == columns.count
  }
}
