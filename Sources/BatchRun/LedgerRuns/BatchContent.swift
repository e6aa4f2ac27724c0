import Input
import Digests
import FileSystem
import Ledger

/// What a batch holds, as a ledger tells runs apart: by the SHA-256 of its files' decompressed texts.
enum BatchContent {
  /// The SHA-256 of the first 64 KiB of the first file's text, or of all of it where it is shorter.
  ///
  /// Of a file that is corrupt before that, as much counts as there is: such a batch is not settled.
  static func opening(_ sources: [InputSource]) throws(RunFailure) -> [UInt8] {
    var opening = TextOpening()
    if let first = sources.first {
      try forEachChunk(first) { chunk in
        opening.take(chunk)
        return opening.left > 0
      }
    }
    return opening.digest.finalize().bytes
  }

  /// The digests of all texts, in hexadecimal digits; nil if a file is corrupt.
  static func digests(_ sources: [InputSource]) throws(RunFailure) -> [String]? {
    var digests: [String] = []
    for source in sources {
      guard let text = try text(of: source) else { return nil }
      digests.append(text.sha256)
    }
    return digests
  }

  /// A file's text, described as if it were stored; nil if the file is corrupt.
  static func text(of source: InputSource) throws(RunFailure) -> StoredFile? {
    var bytes = 0
    var digest = SHA256()
    var isCorrupt = false
    try forEachChunk(source) { chunk in
      bytes += chunk.count
      digest.update(chunk.text, count: chunk.count)
      isCorrupt = isCorrupt || chunk.corruption != nil
      return !isCorrupt
    }
    return isCorrupt
      ? nil : StoredFile(name: source.path, bytes: bytes, sha256: digest.finalize().hexadecimal)
  }

  /// The identity of a run over texts of these digests: the SHA-256 of the digests and of the fee schedule's text, and the
  /// options that change results. What a trailer or too many rejected records do is none of them: that decides whether
  /// there is a result.
  static func identity(_ digests: [String], _ options: RunOptions) -> RunIdentity {
    RunIdentity(
      content: SHA256.digest(of: Array(digests.map { $0 + "\n" }.joined().utf8)).bytes,
      schedule: SHA256.digest(of: options.rules.schedule.text).bytes, options: RunRules(options.rules).identityText)
  }

  private static func forEachChunk(
    _ source: InputSource, _ body: (TextChunk) -> Bool
  ) throws(RunFailure) {
    let file = try asRead(StoredBatchFile(path: source.path, copy: source.copy?.stored))
    let chunk = TextChunk()
    while try asRead(file.readNext(into: chunk)) {
      chunk.expand()
      guard body(chunk) else { return }
    }
  }
}

/// How a batch's first text begins: as much of it tells most batches apart.
struct TextOpening {
  private(set) var digest = SHA256()
  private(set) var left = 1 << 16

  mutating func take(_ chunk: TextChunk) {
    let count = min(left, chunk.count)
    digest.update(chunk.text, count: count)
    left -= count
  }
}
