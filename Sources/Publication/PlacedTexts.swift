import Failures
import Text
import Threads

/// Texts on their way into a file. Each gets its place when it arrives, and an errand writes it there.
package final class PlacedTexts {
  /// Writes bytes at an offset of the file; called by several threads at a time.
  package typealias Write = @Sendable (_ text: Span<UInt8>, _ offset: Int) throws(Failure) -> Void

  private let errands: Errands
  private let digest: DigestLane?
  private let write: Write
  private let first = FirstFailure<Failure>()
  private let pool = TextPool()
  private var pending = TextBuffer()
  /// The place of the next text.
  private var place = 0

  /// The number of bytes written, once it has finished.
  package var count: Int { place }

  /// Shorter texts are collected first.
  private static let longText = 1 << 16

  /// - Parameter digest: takes the texts in order.
  package init(_ errands: Errands, digest: DigestLane? = nil, write: @escaping Write) {
    (self.errands, self.digest, self.write) = (errands, digest, write)
  }

  /// Appends a copy of a text. Throws if an earlier one could not be written.
  package func append(_ text: Span<UInt8>) throws(Failure) {
    guard errands.areShared else {
      try write(text, place)
      place += text.count
      digest?.append(text)
      return
    }
    pending.append(text)
    if pending.count >= 4 * Self.longText { try pass(&pending) }
  }

  /// Appends a text, and may keep its memory if it leaves other memory in its place.
  package func append(_ text: inout TextBuffer) throws(Failure) {
    guard errands.areShared else {
      try write(text.span, place)
      place += text.count
      digest?.append(&text)
      return
    }
    guard text.count >= Self.longText else { return try append(text.span) }
    try pass(&pending)
    try pass(&text)
  }

  private func pass(_ text: inout TextBuffer) throws(Failure) {
    try first.check()
    guard text.count > 0 else { return }
    let start = place
    place += text.count
    let shared = pool.share(&text, readers: digest == nil ? 1 : 2)
    digest?.append(shared, of: pool)
    errands.add { [write, first, pool] in
      first.perform(at: start) { () throws(Failure) in
        try shared.withSpan { text throws(Failure) in try write(text, start) }
      }
      pool.release(shared)
    }
  }

  /// Returns once everything is written.
  package func finish() throws(Failure) {
    try pass(&pending)
    errands.finish()
    try first.check()
  }
}
