import Input
import SampleBatch
import TestSupport
import Text

/// Reads and expands a stored batch: LZ4 blocks to text; the lines are not looked at.
final class Decompression: PreparedStage {
  /// How a frame's blocks are compressed.
  enum Blocks {
    /// Each block on its own, with 4 MiB of text. Workers expand them.
    case independent
    /// Each block refers to earlier ones. They can only be expanded in order, by the reader.
    case linked
  }

  let payments: Int
  private(set) var bytes = 0
  private let folder: TemporaryFolder
  private let path: String
  private let chunk = TextChunk()
  private let isVerified: Bool

  /// - Parameter isVerified: whether the checksum of the whole text is verified.
  init(payments: Int, _ blocks: Blocks, isVerified: Bool = false) throws {
    self.payments = payments
    self.isVerified = isVerified
    folder = try TemporaryFolder()
    switch blocks {
    case .independent: path = try folder.sampleBatch(payments: payments).path
    case .linked:
      path = try folder.file("batch.jsonl.lz4") { write in
        var text = TextBuffer(capacity: 1 << 20)
        _ = try SampleBatch.write(SampleBatchOptions(payments: payments, seed: 1), isLZ4: false) { text.append($0) }
        try write(LinkedFrame.make(text).span)
      }
    }
  }

  func run() throws {
    bytes = 0
    try expand { bytes += $0.count }
  }

  func resultHash() throws -> UInt64 {
    var text = TextBuffer(capacity: 1 << 20)
    try expand { text.append($0.span) }
    var hash = ResultHash()
    text.withSpan { hash.add($0) }
    return hash.value
  }

  private func expand(_ take: (TextChunk) -> Void) throws {
    let file = try StoredBatchFile(path: path)
    let verifier = ContentVerifier()
    while try file.readNext(into: chunk) {
      chunk.expand()
      if let corruption = isVerified ? verifier.verify(chunk) : chunk.corruption { throw corruption }
      take(chunk)
    }
  }
}
