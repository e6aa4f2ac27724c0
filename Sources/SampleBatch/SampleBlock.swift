import Input
import Text

/// A block of up to 2,048 payments: its text, that compressed where asked for, and its control totals.
///
/// Blocks are made on any thread, one thread at a time, and used again: their memory stays.
final class SampleBlock: @unchecked Sendable {
  /// The most payments of a block; another number would make other batches of the same seed.
  static let payments = 2048

  /// A part of the text that makes one LZ4 block, and where that is in `stored`.
  struct Piece {
    let text: Range<Int>
    let stored: Range<Int>
  }

  private(set) var text = TextBuffer(capacity: 4 << 20)
  private(set) var totals = SampleTotals()
  private(set) var pieces: [Piece] = []
  private(set) var stored = TextBuffer(capacity: 1)

  /// Makes block `number` of the batch, from 0; the first one begins with the header.
  func make(_ number: Int, of batch: SamplePlan, isLZ4: Bool) {
    text.removeAll()
    totals = SampleTotals()
    if number == 0 { text.append(batch.header) }
    let first = number * SampleBlock.payments
    var composer = batch.composer(block: number)
    for index in first..<min(first + SampleBlock.payments, batch.options.payments) {
      composer.compose(index, defect: batch.defects.assignment(of: index), into: &text, totals: &totals)
    }
    if isLZ4 { compress() }
  }

  /// Makes it hold a text of its own, such as the trailer.
  func hold(_ line: String, isLZ4: Bool) {
    text.removeAll()
    text.append(line)
    if isLZ4 { compress() }
  }

  private func compress() {
    pieces.removeAll(keepingCapacity: true)
    stored.removeAll()
    var at = 0
    while at < text.count {
      let count = min(text.count - at, LZ4FrameWriter.blockTextMaximum)
      let room = LZ4FrameWriter.storedBlockMaximum(textCount: count)
      let place = stored.reserve(room)
      let written = LZ4FrameWriter.compressBlock(
        UnsafeRawBufferPointer(start: text.bytes + at, count: count),
        into: UnsafeMutableRawBufferPointer(start: place, count: room))
      pieces.append(Piece(text: at..<at + count, stored: stored.count..<stored.count + written))
      stored.advance(by: written)
      at += count
    }
  }
}
