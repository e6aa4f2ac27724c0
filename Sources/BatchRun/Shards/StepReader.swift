import Crypto
import FileSystem
import Glibc
import SystemPackage
import Text

/// Reads a file of a step from its beginning to its end, and throws if it is not what its digest says, if it has one.
///
/// The file is open only while it is read from, so that there may be one of these for each shard.
final class StepReader {
  let shown: String
  private let work: ShardWork
  private let path: String
  private let expected: String?
  private var digest = SHA256()
  private var read = 0
  private var isAtEnd = false
  private let buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  /// A line that is longer than the buffer.
  private var longLine = TextBuffer()

  /// - Parameter digest: the file's SHA-256; nil if others hold the file against it.
  init(_ work: ShardWork, _ path: String, digest: String?, bufferLength: Int) {
    self.work = work
    self.path = path
    shown = work.shown(path)
    expected = digest
    capacity = bufferLength
    buffer = .allocate(capacity: bufferLength)
  }

  deinit { buffer.deallocate() }

  private var sums: String {
    work.shown(path.prefix { $0 != "/" } + "/\(FinishedStep.sums)")
  }

  func damage(_ why: String) -> RunFailure { .inputOutput("\(shown): is damaged: \(why)") }

  /// Fills the empty buffer; false at the end, where the digest must agree.
  private func fill() throws(RunFailure) -> Bool {
    if isAtEnd { return false }
    let count: Int
    do throws(Errno) {
      let file = try work.directory.open(path, O_RDONLY)
      defer { try? file.close() }
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
      count = try systemCall(throwing: { try file.read(fromAbsoluteOffset: Int64(read), into: room) })
    } catch {
      throw .inputOutput("\(shown), which \(sums) names: cannot be read: \(error)")
    }
    (start, end) = (0, count)
    read += count
    if count == 0 {
      isAtEnd = true
      guard let expected else { return false }
      let found = Hexadecimal.text(digest.finalize())
      guard found == expected else {
        // Of another file nearly all digits differ.
        if zip(found.utf8, expected.utf8).count(where: { $0 == $1 }) > 32 {
          throw .inputOutput("\(sums): is damaged: it has a wrong digest; remove its directory and do that step again")
        }
        throw damage("it is not what \(FinishedStep.sums) says; remove its directory and do that step again")
      }
      work.verified.withLock { _ = $0.insert(path + expected) }
      return false
    }
    if expected != nil { digest.update(bufferPointer: UnsafeRawBufferPointer(start: buffer, count: count)) }
    return true
  }

  /// The next bytes, as many as are at hand but no more than `most`; nil at the end. Good until the next call.
  func piece(atMost most: Int = .max) throws(RunFailure) -> UnsafeBufferPointer<UInt8>? {
    if start == end, try !fill() { return nil }
    let count = min(most, end - start)
    defer { start += count }
    return UnsafeBufferPointer(start: buffer + start, count: count)
  }

  /// Hands on the next `count` bytes, all of which must be there.
  func take(
    _ count: Int, _ body: (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void = { _, _ in }
  ) throws(RunFailure) {
    var left = count
    while left > 0 {
      guard let piece = try piece(atMost: left) else { throw damage("it ends too early") }
      try body(piece.baseAddress.unsafelyUnwrapped, piece.count)
      left -= piece.count
    }
  }

  /// The next byte; nil at the end.
  @inline(__always)
  func byte() throws(RunFailure) -> UInt8? {
    if start == end, try !fill() { return nil }
    start += 1
    return buffer[start - 1]
  }

  /// The next number, as LEB128.
  @inline(__always)
  func number() throws(RunFailure) -> Int {
    var (value, shift) = (0, 0)
    while let byte = try byte(), shift < 63 {
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw damage("it has no whole number")
  }

  /// The next line without its line feed; nil at the end. Good until the next call.
  func line() throws(RunFailure) -> UnsafeBufferPointer<UInt8>? {
    longLine.removeAll(keeping: 1 << 20)
    while true {
      if start == end, try !fill() {
        guard longLine.count == 0 else { throw damage("its last line is not ended") }
        return nil
      }
      let found = memchr(buffer + start, 0x0A, end - start)?.assumingMemoryBound(to: UInt8.self)
      let count = (found.map { $0 - UnsafeMutablePointer(buffer) } ?? end) - start
      let piece = UnsafeBufferPointer(start: buffer + start, count: count)
      start += count + (found == nil ? 0 : 1)
      guard found == nil || longLine.count > 0 else { return piece }
      if let bytes = piece.baseAddress { longLine.append(bytes, count: count) }
      if found != nil { return UnsafeBufferPointer(start: longLine.bytes, count: longLine.count) }
    }
  }
}
