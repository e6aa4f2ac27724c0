import Synchronization
import Text

/// A text that several threads read at a time; its memory is reused when all are done.
package final class SharedText: @unchecked Sendable {  // Its owner changes it only while `readers` is 0.
  fileprivate var text = TextBuffer()
  fileprivate let readers = Atomic(0)

  /// Calls `body` with the text.
  package func withSpan<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try text.withSpan(body)
  }
}

/// The memory of texts that pass between threads.
package final class TextPool: Sendable {
  private let free = Mutex<[SharedText]>([])
  /// The most bytes that a free text keeps.
  private static let kept = 4 << 20

  package init() {}

  /// Takes a text for a number of readers, without a copy, and leaves an empty one in its place.
  package func share(_ text: inout TextBuffer, readers: Int) -> SharedText {
    let shared = free.withLock { $0.popLast() } ?? SharedText()
    swap(&shared.text, &text)
    shared.readers.store(readers, ordering: .releasing)
    return shared
  }

  /// Called when one of its readers is done with a text.
  package func release(_ shared: SharedText) {
    guard shared.readers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    shared.text.removeAll(keeping: Self.kept)
    free.withLock { $0.append(shared) }
  }
}
