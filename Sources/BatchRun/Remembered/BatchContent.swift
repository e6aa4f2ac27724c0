import BatchFile
import Crypto
import Ledger
import Settlement

/// What a batch holds, as a ledger tells runs apart: by the SHA-256 of its files' decompressed texts.
enum BatchContent {
  /// As much of a batch's first text tells most batches apart.
  private static let openingLength = 1 << 16

  /// The SHA-256 of the first 64 KiB of the first file's text, or of all of it where it is shorter.
  ///
  /// Of a file that is corrupt before that, as much counts as there is: such a batch is not settled.
  static func opening(_ sources: [InputSource]) throws(RunFailure) -> [UInt8] {
    var digest = SHA256()
    var left = openingLength
    if let first = sources.first {
      try forEachChunk(first) { chunk in
        let count = min(left, chunk.count)
        digest.update(bufferPointer: UnsafeRawBufferPointer(start: chunk.text, count: count))
        left -= count
        return left > 0
      }
    }
    return Array(digest.finalize())
  }

  /// The digests of all texts, in hexadecimal digits; nil where a file is corrupt.
  static func digests(_ sources: [InputSource]) throws(RunFailure) -> [String]? {
    var digests: [String] = []
    for source in sources {
      var digest = SHA256()
      var isCorrupt = false
      try forEachChunk(source) { chunk in
        digest.update(bufferPointer: UnsafeRawBufferPointer(start: chunk.text, count: chunk.count))
        isCorrupt = isCorrupt || chunk.corruption != nil
        return !isCorrupt
      }
      if isCorrupt { return nil }
      digests.append(Hexadecimal.text(digest.finalize()))
    }
    return digests
  }

  /// The digest of the digests.
  static func digest(of digests: [String]) -> [UInt8] {
    Array(SHA256.hash(data: Array(digests.map { $0 + "\n" }.joined().utf8)))
  }

  /// The identity of a run over texts of these digests.
  static func identity(_ digests: [String], _ options: RunOptions) -> RunIdentity {
    RunIdentity(content: digest(of: digests), schedule: schedule(options), options: self.options(options))
  }

  /// The SHA-256 of the fee schedule's text.
  static func schedule(_ options: RunOptions) -> [UInt8] { Array(SHA256.hash(data: options.scheduleText)) }

  /// The options that change results, as the ledger keeps them. What a disagreeing trailer does is none of them: it
  /// decides whether there is a result.
  static func options(_ options: RunOptions) -> String { "strictItems=\(options.strictItems ? 1 : 0)" }

  private static func forEachChunk(
    _ source: InputSource, _ body: (TextChunk) -> Bool
  ) throws(RunFailure) {
    let file: StoredBatchFile
    do throws(ReadFailure) {
      file = try StoredBatchFile(path: source.path, copy: source.copy?.descriptor)
    } catch {
      throw .unreadable(BatchInput.message(error))
    }
    let chunk = TextChunk()
    do throws(ReadFailure) {
      while try file.readNext(into: chunk) {
        chunk.expand()
        guard body(chunk) else { return }
      }
    } catch {
      throw .inputOutput(BatchInput.message(error))
    }
  }
}
