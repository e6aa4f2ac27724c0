import Digests
import Failures
import Glibc
import Text

/// Reads a source front to back, once: by lines, bytes, or a number of bytes. Results are valid until the next call.
open class LineReader {
  /// A line without its line feed.
  public struct Line {
    /// The line, or as much of it as the limit allows.
    public let bytes: UnsafeBufferPointer<UInt8>
    /// Whether it ends here in a line feed. Otherwise it is the last one, which may lack it, or goes on.
    public let hasLineFeed: Bool
    /// Whether it has more bytes than the limit; the next call returns what follows.
    public let isCut: Bool
  }

  // Used for every payment.
  @exclusivity(unchecked) @usableFromInline final var held: TextBuffer
  @exclusivity(unchecked) @usableFromInline final var at = 0
  private final var isAtEnd = false
  private final let pieceLength: Int
  private final var digest: SHA256?
  /// The number of bytes read from the source so far.
  public private(set) final var byteCount = 0

  /// - Parameters:
  ///   - pieceLength: how many bytes to ask the source for; more if an incomplete line takes up most of the memory.
  ///   - isHashed: whether `takeDigest` will be called.
  public init(pieceLength: Int, isHashed: Bool = false) {
    self.pieceLength = pieceLength
    held = TextBuffer(capacity: pieceLength)
    digest = isHashed ? SHA256() : nil
  }

  /// Reads the next bytes of the source into a room, and returns their number; 0 at the end.
  open func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    preconditionFailure("each kind of reader overrides this")
  }

  /// Called at the end of the source with the number of bytes that no one took, which may be an incomplete line.
  open func end(rest: Int) throws(Failure) {}

  /// Reads the next bytes after those that are not taken yet; false at the end.
  @usableFromInline
  final func fill() throws(Failure) -> Bool {
    if isAtEnd { return false }
    let rest = held.count - at
    if rest == 0 {
      held.removeAll(keeping: max(pieceLength, 1 << 20))
    } else if at > 0 {
      memmove(held.bytes, held.bytes + at, rest)
      held.truncate(to: rest)
    }
    at = 0
    let length = max(pieceLength - rest, pieceLength / 2)
    let room = UnsafeMutableRawBufferPointer(start: held.reserve(length), count: length)
    let count = try read(into: room)
    digest?.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
    held.advance(by: count)
    byteCount += count
    guard count == 0 else { return true }
    isAtEnd = true
    try end(rest: rest)
    return false
  }

  /// Whether the bytes are hashed.
  public final var isHashed: Bool { digest != nil }

  /// The SHA-256 of the bytes read since the beginning, or since the last call, in hexadecimal digits.
  public final func takeDigest() -> String {
    defer { digest = SHA256() }
    return digest!.finalize().hexadecimal
  }

  // MARK: Bytes

  /// The next bytes that are available, at most `most`; nil at the end.
  public final func piece(atMost most: Int = .max) throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    if at == held.count, try !fill() { return nil }
    let count = min(most, held.count - at)
    defer { at += count }
    return UnsafeBufferPointer(start: held.bytes + at, count: count)
  }

  /// The next byte; nil at the end.
  @inlinable @inline(__always)
  public final func byte() throws(Failure) -> UInt8? {
    if at == held.count, try !fill() { return nil }
    at += 1
    return held.bytes[at - 1]
  }

  /// The next `count` bytes; nil at the end.
  public final func read(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer? {
    while held.count - at < count {
      guard try fill() else {
        precondition(held.count == 0, "what was appended was cut short")
        return nil
      }
    }
    defer { at += count }
    return UnsafeRawBufferPointer(start: held.bytes + at, count: count)
  }

  /// Reads all bytes that are left, and returns them unless there are more than `limit`.
  public final func rest(limit: Int) throws(Failure) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = try piece() {
      bytes += piece
      if bytes.count > limit {
        try skipRest()
        return nil
      }
    }
    return bytes
  }

  /// Reads the bytes that are left, for the digest.
  public final func skipRest() throws(Failure) {
    while try piece() != nil {}
  }

  // MARK: Lines

  /// The next line; nil at the end.
  ///
  /// - Parameter limit: the most bytes to return at once.
  public final func line(limit: Int) throws(Failure) -> Line? {
    var searched = 0
    while true {
      let start = held.bytes + at
      let rest = held.count - at
      let most = min(rest, limit + 1)
      if most > searched, let feed = memchr(start + searched, 0x0A, most - searched) {
        let count = UnsafeRawPointer(feed) - UnsafeRawPointer(start)
        at += count + 1
        return Line(bytes: UnsafeBufferPointer(start: start, count: count), hasLineFeed: true, isCut: false)
      }
      if rest > limit {
        at += limit
        return Line(bytes: UnsafeBufferPointer(start: start, count: limit), hasLineFeed: false, isCut: true)
      }
      searched = rest
      if try !fill() {
        guard let last = try piece() else { return nil }
        return Line(bytes: last, hasLineFeed: false, isCut: false)
      }
    }
  }

  /// The next line, however long it is; nil at the end.
  public final func line() throws(Failure) -> UnsafeBufferPointer<UInt8>? { try line(limit: .max - 1)?.bytes }
}
