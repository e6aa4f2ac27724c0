import BatchRun
import Digests
import Failures
import FileSystem
import Input
import Ledger
import Rules

/// Identifies a batch in a ledger by the digests of its files' decompressed texts.
package enum BatchContent {
  /// The SHA-256 of the first 64 KiB of the first file's text, or of all of it if it is shorter.
  ///
  /// If the file is corrupt before that, only the good text counts: such a batch is not settled.
  package static func opening(_ sources: [InputSource]) throws(Failure) -> [UInt8] {
    var opening = TextOpening()
    if let first = sources.first {
      try forEachChunk(first) { chunk in
        opening.append(chunk)
        return opening.left > 0
      }
    }
    return opening.digest.bytes
  }

  /// The digests of all texts; nil if a file is corrupt.
  ///
  /// - Parameter plain: whether to compute the plain ones, too.
  package static func digests(_ sources: [InputSource], plain: Bool) throws(Failure) -> [TextDigest]? {
    var digests: [TextDigest] = []
    for source in sources {
      var pieces = PieceDigest()
      var whole = plain ? SHA256() : nil
      let isWhole = try forEachChunk(source) { chunk in
        pieces.update(chunk.span)
        whole?.update(chunk.span)
        return chunk.corruption == nil
      }
      guard isWhole else { return nil }
      digests.append(TextDigest(pieces: pieces.hexadecimal, plain: whole?.finalize().hexadecimal))
    }
    return digests
  }

  /// Describes a file's text as if it were stored; nil if the file is corrupt.
  package static func text(of source: InputSource) throws(Failure) -> StoredFile? {
    var bytes = 0
    var digest = SHA256()
    let isWhole = try forEachChunk(source) { chunk in
      bytes += chunk.count
      digest.update(chunk.span)
      return chunk.corruption == nil
    }
    return isWhole ? StoredFile(name: source.path, bytes: bytes, sha256: digest.finalize().hexadecimal) : nil
  }

  /// The identities that a run over these texts may have in a ledger. The first is the one to enter it by; earlier
  /// versions entered it by the others.
  ///
  /// An identity is the SHA-256 of the digests and of the fee schedule's text, and the options that change results. The
  /// options for trailers and rejected records are not part of it: they decide only whether there is a result.
  package static func identities(_ digests: [TextDigest], _ options: RunOptions) -> [RunIdentity] {
    let schedule = SHA256.digest(of: options.rules.schedule.text).bytes
    let texts = RuleValues(options.rules).identityTexts
    func identities(_ digests: [String], isPlain: Bool) -> [RunIdentity] {
      let content = SHA256.digest(of: Array(digests.map { $0 + "\n" }.joined().utf8)).bytes
      return texts.map { RunIdentity(content: content, schedule: schedule, options: $0, isPlain: isPlain) }
    }
    let plain = digests.compactMap(\.plain)
    return identities(digests.map(\.pieces), isPlain: false)
      + (plain.count == digests.count ? identities(plain, isPlain: true) : [])
  }

  /// Visits a file's chunks until `body` returns false; returns whether it never did.
  @discardableResult
  private static func forEachChunk(
    _ source: InputSource, _ body: (TextChunk) -> Bool
  ) throws(Failure) -> Bool {
    let file = try StoredBatchFile(path: source.path, copy: source.copy?.stored)
    let chunk = TextChunk()
    while try file.readNext(into: chunk) {
      chunk.expand()
      guard body(chunk) else { return false }
    }
    return true
  }
}
