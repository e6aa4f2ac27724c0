import BatchRun
import Digests
import Failures
import Input

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
      try step.write(ShardJSON.text(plan: plan.digest, hashed(number, path)), to: "hash.json")
    }
  }

  private func hashed(_ number: Int, _ path: String?) throws(Failure) -> HashedFile {
    let file = plan.files[number]
    let path = try file.source(path)
    let digests = FileDigests(plan.shards(of: number))
    let stored = try StoredBatchFile(path: path) { digests.update($0) }
    let (chunk, verifier) = (TextChunk(), ContentVerifier())
    var (textDigest, pieces) = (SHA256(), PieceDigest())
    var opening = TextOpening()
    var (textBytes, lineFeeds) = (0, 0)
    var isWhole = true
    var corrupt: FileFault?
    var isPlain = true
    while corrupt == nil, try stored.readNext(into: chunk) {
      if chunk.isPlain {
        if plan.ledger != nil {
          opening.append(chunk)
          pieces.update(chunk.span)
        }
        continue
      }
      isPlain = false
      guard plan.ledger != nil || chunk.namesContent || chunk.corruption != nil else {
        isWhole = false
        continue
      }
      chunk.expand()
      let text = chunk.span
      if let found = verifier.verify(chunk) {
        let end = isWhole ? chunk.textEnd(ofFrameEndingAt: found.storedOffset) : nil
        corrupt = FileFault(
          offset: end.map { textBytes + $0 },
          lineFeeds: end.map { lineFeeds + text.extracting(first: $0).lineFeeds },
          stored: Int(found.storedOffset), reason: found.reason)
      }
      textBytes += chunk.count
      lineFeeds += text.lineFeeds
      if plan.ledger != nil {
        opening.append(chunk)
        textDigest.update(chunk.span)
        pieces.update(chunk.span)
      }
    }
    guard corrupt != nil || stored.storedBytesRead == file.bytes else {
      throw .inputOutput(
        "\(file.name): has \(stored.storedBytesRead) bytes, but \(file.bytes) were planned; plan the batch again")
    }
    let sha256 = digests.whole.finalize().hexadecimal
    let text = plan.ledger == nil ? nil : isPlain ? sha256 : textDigest.finalize().hexadecimal
    return HashedFile(
      file: number, bytes: file.bytes, sha256: sha256, ranges: digests.ranges.map(\.digest), corrupt: corrupt,
      textSha256: text, textPieces: plan.ledger == nil ? nil : pieces.hexadecimal,
      opening: plan.ledger == nil ? nil : opening.digest.hexadecimal)
  }
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

  func update(_ bytes: Span<UInt8>) {
    whole.update(bytes)
    var done = 0
    while done < bytes.count, current < shards.count {
      let count = min(bytes.count - done, shards[current].end - offset)
      ranges[current].update(bytes.extracting(done..<done + count))
      done += count
      offset += count
      if offset == shards[current].end { current += 1 }
    }
  }
}
