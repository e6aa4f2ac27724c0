import Dispatch
import Testing

@testable import Input

/// Chunks of one file, expanded concurrently and then verified in order.
@Suite struct ParallelExpansionTests {
  @Test(arguments: [false, true]) func chunksStandAlone(isCorrupt: Bool) throws {
    let scratch = try Scratch()
    let text = SampleText.lines.bytes(60_000)
    var bytes = SampleFrame(hasContentChecksum: true, texts: Array(repeating: text, count: 40)).bytes
    if isCorrupt { bytes[bytes.count / 2 + 1000] ^= 0x80 }
    let file = try StoredBatchFile(path: scratch.file(bytes), observing: nil)
    var chunks: [TextChunk] = []
    while true {
      let chunk = TextChunk(blocksLength: 200_000)
      guard try file.readNext(into: chunk) else { break }
      chunks.append(chunk)
    }
    #expect(chunks.count == 14)
    let filled = chunks
    DispatchQueue.concurrentPerform(iterations: filled.count) { filled[$0].expand() }
    let verifier = ContentVerifier()
    var corruption: CorruptBatch?
    for chunk in filled where corruption == nil { corruption = verifier.verify(chunk) }
    #expect((corruption != nil) == isCorrupt)
  }
}
