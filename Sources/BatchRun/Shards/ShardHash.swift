import Digests
import Failures
import Input
import JSON
import Text

extension ShardWork {
  /// Reads a whole file of the batch and makes `hash-F`. From it `gather` knows whether all shards read the same file,
  /// and whether the file matches its frames.
  ///
  /// - Parameter path: `-` for standard input, which has the file's stored bytes; nil for the file.
  public func hash(_ number: Int, input path: String?) throws(Failure) {
    guard plan.files.indices.contains(number) else {
      throw .usage("the plan has files 0 to \(plan.files.count - 1), but no \(number)")
    }
    try make(Self.hash(number)) { step throws(Failure) in
      try step.write(ShardJSON.text(plan: plan.digest, hashFields(number, path)), to: "hash.json")
    }
  }

  private func hashFields(_ number: Int, _ path: String?) throws(Failure) -> [(String, JSONTree)] {
    let file = plan.files[number]
    let path = try file.source(path)
    let digests = FileDigests(plan.shards(of: number))
    let stored = try StoredBatchFile(path: path) { digests.take($0) }
    let (chunk, verifier) = (TextChunk(), ContentVerifier())
    var (textDigest, pieces) = (SHA256(), PieceDigest())
    var opening = TextOpening()
    var (textBytes, lineFeeds) = (0, 0)
    var isWhole = true
    var corrupt: JSONTree?
    var isPlain = true
    while corrupt == nil, try stored.readNext(into: chunk) {
      if chunk.isPlain {
        if plan.ledger != nil {
          opening.take(chunk)
          pieces.update(chunk.text, count: chunk.count)
        }
        continue
      }
      isPlain = false
      guard plan.ledger != nil || chunk.namesContent || chunk.corruption != nil else {
        isWhole = false
        continue
      }
      chunk.expand()
      let text = UnsafeBufferPointer(start: chunk.text, count: chunk.count)
      if let found = verifier.verify(chunk) {
        let end = isWhole ? chunk.textEnd(ofFrameEndingAt: found.storedOffset) : nil
        corrupt = fault(
          found, offset: end.map { textBytes + $0 },
          lineFeeds: end.map { lineFeeds + UnsafeBufferPointer(rebasing: text[..<$0]).lineFeeds })
      }
      textBytes += chunk.count
      lineFeeds += text.lineFeeds
      if plan.ledger != nil {
        opening.take(chunk)
        textDigest.update(chunk.text, count: chunk.count)
        pieces.update(chunk.text, count: chunk.count)
      }
    }
    guard corrupt != nil || stored.storedBytesRead == file.bytes else {
      throw .inputOutput(
        "\(file.name): has \(stored.storedBytesRead) bytes, but \(file.bytes) were planned; plan the batch again")
    }
    let sha256 = digests.whole.finalize().hexadecimal
    let text = plan.ledger == nil ? nil : isPlain ? sha256 : textDigest.finalize().hexadecimal
    return [
      ("file", .number(number)), ("bytes", .number(file.bytes)), ("sha256", .string(sha256)),
      ("ranges", .array(digests.ranges.map { $0.digest.map { .string($0) } ?? .null })),
      ("corrupt", corrupt ?? .null), ("textSha256", text.map { .string($0) } ?? .null),
      ("textPieces", plan.ledger == nil ? .null : .string(pieces.hexadecimal)),
      ("opening", plan.ledger == nil ? .null : .string(opening.digest.finalize().hexadecimal)),
    ]
  }
}

/// A fault of a file, as `gather` reads it.
///
/// `offset` is the end of a frame whose text does not match it, which no shard knows. The shards report all other
/// faults.
private func fault(_ found: CorruptBatch, offset: Int?, lineFeeds: Int?) -> JSONTree {
  [
    "offset": offset.map { .number($0) } ?? .null, "lineFeeds": lineFeeds.map { .number($0) } ?? .null,
    "stored": .number(Int(found.storedOffset)), "reason": .string(found.reason),
  ]
}

/// The digest of a file's stored bytes, and the checksums of its ranges.
private final class FileDigests {
  var whole = SHA256()
  let ranges: [RangeChecksum]
  private let shards: [PlannedShard]
  private var current = 0
  private var offset = 0

  init(_ shards: [PlannedShard]) {
    self.shards = shards
    ranges = shards.map { RangeChecksum($0.end - $0.start) }
  }

  func take(_ bytes: UnsafeRawBufferPointer) {
    whole.update(bytes)
    var done = 0
    while done < bytes.count, current < shards.count {
      let count = min(bytes.count - done, shards[current].end - offset)
      ranges[current].take(UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
      done += count
      offset += count
      if offset == shards[current].end { current += 1 }
    }
  }
}
