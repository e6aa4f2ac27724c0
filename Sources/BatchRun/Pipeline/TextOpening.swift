import Digests
import Input

/// The beginning of a batch's first text: enough to distinguish most batches.
package struct TextOpening {
  private var taken = SHA256()
  /// The bytes that it still lacks.
  package private(set) var left = 1 << 16

  package init() {}

  package mutating func append(_ chunk: TextChunk) {
    let count = min(left, chunk.count)
    taken.update(chunk.span.extracting(first: count))
    left -= count
  }

  /// The SHA-256 of what was taken.
  package var digest: SHA256.Digest { taken.finalize() }
}
