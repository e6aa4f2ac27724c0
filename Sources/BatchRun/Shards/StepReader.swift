import Digests
import FileSystem
import Glibc
import SystemPackage
import Text

/// Reads a file of a step from beginning to end, and throws if it has a digest and does not match it.
///
/// The file is open only while it is read from, so that there can be a reader for each shard.
final class StepReader: PieceReader {
  let shown: String
  private let work: ShardWork
  private let path: String
  private let expected: String?
  private var digest = SHA256()
  private var bytesRead = 0
  private let bufferLength: Int

  /// - Parameter digest: the file's SHA-256; nil if the file is compared with it elsewhere.
  init(_ work: ShardWork, _ path: String, digest: String?, bufferLength: Int) {
    self.work = work
    self.path = path
    shown = work.shown(path)
    expected = digest
    self.bufferLength = bufferLength
    super.init(capacity: bufferLength)
  }

  private var sums: String {
    work.shown(path.prefix { $0 != "/" } + "/\(FinishedStep.sums)")
  }

  func damage(_ why: String) -> RunFailure { .inputOutput("\(shown): is damaged: \(why)") }

  /// Appends what fits; at the end the digest must match.
  override func takePiece(_ held: inout TextBuffer) throws(RunFailure) -> Bool {
    // If an incomplete line takes up more than half of the buffer, the buffer grows.
    let length = max(bufferLength - held.count, bufferLength / 2)
    let room = UnsafeMutableRawBufferPointer(start: held.reserve(length), count: length)
    let count: Int
    do throws(Errno) {
      let file = try work.directory.open(path, O_RDONLY)
      defer { try? file.close() }
      count = try systemCall(throwing: { try file.read(fromAbsoluteOffset: Int64(bytesRead), into: room) })
    } catch {
      throw .inputOutput("\(shown), which \(sums) names: cannot be read: \(error)")
    }
    guard count > 0 else {
      try checkDigest()
      guard held.count == 0 else { throw damage("its last line has no line feed") }
      return false
    }
    if expected != nil { digest.update(UnsafeRawBufferPointer(rebasing: room[..<count])) }
    held.advance(by: count)
    bytesRead += count
    return true
  }

  private func checkDigest() throws(RunFailure) {
    guard let expected else { return }
    let found = digest.finalize().hexadecimal
    guard found == expected else {
      // If the file were another one, nearly all digits would differ.
      if zip(found.utf8, expected.utf8).count(where: { $0 == $1 }) > 32 {
        throw .inputOutput("\(sums): is damaged: it has a wrong digest; \(advice(expected))")
      }
      throw damage("it does not match \(FinishedStep.sums); \(advice(expected))")
    }
    work.verified.withLock { _ = $0.insert(path + expected) }
  }

  /// How to repair the file: a step takes it over from an earlier one, with its digest, so all that share it must go.
  private func advice(_ digest: String) -> String {
    let file = String(path.drop { $0 != "/" }.dropFirst())
    func inode(_ step: String) -> Inode? { (try? work.directory.status("\(step)/\(file)"))?.inode }
    let own = inode(String(path.prefix { $0 != "/" }))
    let steps = ((try? work.directory.names()) ?? []).filter { step in
      !step.hasPrefix(".") && inode(step) == own && (try? work.step(step))?.digests[file] == digest
    }
    guard steps.count > 1 else { return "remove its directory and do that step again" }
    // run-N comes before done-N-0.
    let inOrder = steps.sorted { $0.first == $1.first ? $0 < $1 : $0 > $1 }
    return "remove \(inOrder.joined(separator: ", ")), which share it, and do those steps again"
  }

  /// Passes on the next `count` bytes; throws if there are fewer.
  func take(
    _ count: Int, _ body: (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void = { _, _ in }
  ) throws(RunFailure) {
    var left = count
    while left > 0 {
      guard let piece = try piece(atMost: left) else { throw damage("it ends too early") }
      try body(piece.baseAddress!, piece.count)
      left -= piece.count
    }
  }

  /// Throws if there are more bytes, or if the digest does not match.
  func expectEnd() throws(RunFailure) {
    if try piece() != nil { throw damage("it is too long") }
  }

  /// The next number.
  @inline(__always)
  func number() throws(RunFailure) -> Int {
    guard let value = try Varint.read({ () throws(RunFailure) in try byte() }).flatMap({ Int(exactly: $0) }) else {
      throw damage("a number is malformed")
    }
    return value
  }
}
