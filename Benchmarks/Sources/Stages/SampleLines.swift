import Input
import SampleBatch
import Text

/// The payments of a sample batch in memory, one per line, without header and trailer.
final class SampleLines {
  /// A line without its line feed.
  struct Line {
    let text: UnsafePointer<UInt8>
    let count: Int

    /// The line, for a scanner that reads it in place.
    var span: Span<UInt8> {
      @_lifetime(borrow self) get {
        _overrideLifetime(Span(_unsafeStart: text, count: count), borrowing: self)
      }
    }
  }

  private var text = TextBuffer(capacity: 1 << 20)
  /// The payments, in order.
  let lines: [Line]
  /// The number of their bytes, including line feeds.
  let bytes: Int

  /// Makes a batch with this number of payments; see `SampleBatchOptions`.
  init(payments: Int, defectsPerMillion: UInt32 = 0) throws {
    var text = TextBuffer(capacity: 1 << 20)
    let options = SampleBatchOptions(payments: payments, seed: 1, defectsPerMillion: defectsPerMillion)
    _ = try SampleBatch.write(options, isLZ4: false) { text.append($0) }
    // Readers of a line require this after it.
    _ = text.reserve(TextChunk.padding)
    var lines: [Line] = []
    var start = 0
    let first = text.span.withUnsafeBufferPointer { $0.baseAddress! }
    for end in 0..<text.count where text[end] == 0x0A {
      lines.append(Line(text: first + start, count: end - start))
      start = end + 1
    }
    self.lines = Array(lines.dropFirst().dropLast())
    bytes = self.lines.reduce(0) { $0 + $1.count + 1 }
    swap(&self.text, &text)
  }
}
