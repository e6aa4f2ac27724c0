import Digests
import Failures
import Text

/// Reads a source front to back, once: by lines, bytes, or a number of bytes. Results are valid until the next call.
///
/// (Unsafe: `held` and `at` change only within calls of this class, which one thread makes, and no call is made within
/// another. What a call returns is in `held`, until the next call.)
open class LineReader {
  /// A line without its line feed.
  public struct Line: ~Escapable {
    /// The line, or as much of it as the limit allows.
    public let bytes: Span<UInt8>
    /// Whether it ends here in a line feed. Otherwise it is the last one, which may lack it, or goes on.
    public let hasLineFeed: Bool
    /// Whether it has more bytes than the limit; the next call returns what follows.
    public let isCut: Bool

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, hasLineFeed: Bool = false, isCut: Bool = false) {
      (self.bytes, self.hasLineFeed, self.isCut) = (bytes, hasLineFeed, isCut)
    }
  }

  // Used for every payment.
  @exclusivity(unchecked) @usableFromInline final var held: TextBuffer
  @exclusivity(unchecked) @usableFromInline final var at = 0
  private final var isAtEnd = false
  /// Where in `held` the bytes are that the last call returned.
  private final var last = 0..<0
  private final let pieceLength: Int
  private final var digest: SHA256?
  /// The number of bytes read from the source so far.
  public private(set) final var byteCount = 0

  /// - Parameters:
  ///   - pieceLength: how many bytes to ask the source for; more if an incomplete line takes up most of the memory.
  ///   - isHashed: whether `finishDigest` will be called.
  public init(pieceLength: Int, isHashed: Bool = false) {
    self.pieceLength = pieceLength
    unsafe held = TextBuffer(capacity: pieceLength)
    digest = isHashed ? SHA256() : nil
  }

  /// Reads the next bytes of the source into a room; none at the end.
  open func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    preconditionFailure("each kind of reader overrides this")
  }

  /// Called at the end of the source with the number of bytes that no one took, which may be an incomplete line.
  open func end(rest: Int) throws(Failure) {}

  /// Reads the next bytes after those that are not returned yet; false at the end.
  @usableFromInline
  final func fill() throws(Failure) -> Bool {
    if isAtEnd { return false }
    let rest = unsafe held.count - at
    if rest == 0 { unsafe held.removeAll(keeping: max(pieceLength, 1 << 20)) } else { unsafe held.removeFirst(at) }
    unsafe at = 0
    try unsafe held.append(atMost: max(pieceLength - rest, pieceLength / 2)) { room throws(Failure) in
      try read(into: &room)
    }
    let count = unsafe held.count - rest
    digest?.update(text(rest..<rest + count))
    byteCount += count
    guard count == 0 else { return true }
    isAtEnd = true
    try end(rest: rest)
    return false
  }

  /// A part of the bytes in `held`.
  @_lifetime(borrow self)
  private final func text(_ part: Range<Int>) -> Span<UInt8> {
    unsafe _overrideLifetime(held.span.extracting(part), borrowing: self)
  }

  /// Takes the next bytes in `held`.
  @_lifetime(borrow self)
  private final func next(_ count: Int) -> Span<UInt8> {
    last = unsafe at..<at + count
    unsafe at += count
    return text(last)
  }

  /// The bytes that the last call returned, if it was not `byte`.
  public final var current: Span<UInt8> { @_lifetime(borrow self) get { text(last) } }

  /// Whether the bytes are hashed.
  public final var isHashed: Bool { digest != nil }

  /// The SHA-256 of the bytes read since the beginning, or since the last call, in hexadecimal digits.
  public final func finishDigest() -> String {
    defer { digest = SHA256() }
    return digest!.finalize().hexadecimal
  }

  // MARK: Bytes

  /// The next bytes that are available, at most `most`; nil at the end.
  @_lifetime(borrow self)
  public final func piece(atMost most: Int = .max) throws(Failure) -> Span<UInt8>? {
    if unsafe at == held.count, try !fill() { return nil }
    return unsafe next(min(most, held.count - at))
  }

  /// The next byte; nil at the end.
  @inlinable @inline(__always)
  public final func byte() throws(Failure) -> UInt8? {
    if unsafe at == held.count, try !fill() { return nil }
    unsafe at += 1
    return unsafe held[at - 1]
  }

  /// The next `count` bytes; nil at the end.
  @_lifetime(borrow self)
  public final func read(_ count: Int) throws(Failure) -> Span<UInt8>? {
    while unsafe held.count - at < count {
      guard try fill() else {
        unsafe precondition(held.count == 0, "what was appended was cut short")
        return nil
      }
    }
    return next(count)
  }

  /// Reads all bytes that are left, and returns them unless there are more than `limit`.
  public final func rest(limit: Int) throws(Failure) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = try piece() {
      bytes.append(piece)
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
  @_lifetime(borrow self)
  public final func line(limit: Int) throws(Failure) -> Line? {
    var searched = 0
    while true {
      let rest = unsafe held.count - at
      let most = min(rest, limit + 1)
      if most > searched, let feed = unsafe text(at..<at + most).place(of: 0x0A, from: searched) {
        defer { unsafe at += 1 }
        return Line(next(feed), hasLineFeed: true)
      }
      if rest > limit { return Line(next(limit), isCut: true) }
      searched = rest
      if try !fill() {
        guard let last = try piece() else { return nil }
        return Line(last)
      }
    }
  }

  /// The next line, however long it is; nil at the end.
  @_lifetime(borrow self)
  public final func line() throws(Failure) -> Span<UInt8>? {
    guard let line = try line(limit: .max - 1) else { return nil }
    return line.bytes
  }
}
