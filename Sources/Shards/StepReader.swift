import Failures
import FileSystem
import Glibc
import Publication
import SystemPackage
import Text

/// Reads a file of a step from beginning to end, and throws if it has a digest and does not match it.
///
/// The file is open only while it is read from, so that there can be a reader for each shard.
final class StepReader: LineReader {
  let shown: String
  private let work: ShardWork
  private let path: String
  private let expected: String?
  /// Computes the digest instead, if that may have a thread of its own.
  private let lane: DigestLane?

  /// - Parameters:
  ///   - digest: the file's SHA-256; nil if the file is compared with it elsewhere.
  ///   - isHashedApart: whether the digest may have a thread of its own.
  init(_ work: ShardWork, _ path: String, digest: String?, bufferLength: Int, isHashedApart: Bool = false) {
    lane = isHashedApart ? DigestLane("step digest", isApart: true) : nil
    self.work = work
    self.path = path
    shown = work.shown(path)
    expected = digest
    super.init(pieceLength: bufferLength, isHashed: digest != nil && !isHashedApart)
  }

  private var sums: String { work.shown("\(step)/\(FinishedStep.sums)") }

  private var step: String { String(path.prefix { $0 != "/" }) }
  private var advice: String {
    work.advice(step, file: String(path.drop { $0 != "/" }.dropFirst()), digest: expected ?? "")
  }

  func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(advice)") }

  override func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    do throws(Errno) {
      let file = try work.directory.open(path, O_RDONLY)
      defer { try? file.close() }
      try file.read(fromAbsoluteOffset: byteCount, into: &room)
      if expected != nil { lane?.append(room.span) }
    } catch {
      throw .inputOutput("\(shown), which \(sums) names: cannot be read: \(error); \(advice)")
    }
  }

  override func end(rest: Int) throws(Failure) {
    try checkDigest()
    guard rest == 0 else { throw damage("its last line has no line feed") }
  }

  private func checkDigest() throws(Failure) {
    guard let expected else { return }
    let found = lane?.finish() ?? finishDigest()
    guard found == expected else {
      // If the file were another one, nearly all digits would differ.
      if zip(found.utf8, expected.utf8).count(where: { $0 == $1 }) > 32 {
        throw .inputOutput("\(sums): is damaged: it has a wrong digest; \(advice)")
      }
      throw damage("it does not match \(FinishedStep.sums)")
    }
    work.verified.withLock { _ = $0.insert(path + expected) }
  }

  /// Passes on the next `count` bytes; throws if there are fewer.
  func passOn(
    _ count: Int, _ body: (Span<UInt8>) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    var left = count
    while left > 0 {
      guard let piece = try piece(atMost: left) else { throw damage("it ends too early") }
      try body(piece)
      left -= piece.count
    }
  }

  /// Throws if there are more bytes, or if the digest does not match.
  func expectEnd() throws(Failure) {
    if try piece() != nil { throw damage("it is too long") }
  }

  /// The next number: a count, a length, or how far a place is from another one.
  @inline(__always)
  func number() throws(Failure) -> Int {
    guard let value = try Varint.read({ () throws(Failure) in try byte() }).flatMap({ Int(exactly: $0) }),
      value < 1 << 48
    else { throw damage("a number is malformed") }
    return value
  }
}
