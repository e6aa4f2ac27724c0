import CByteScan
import Glibc

/// The words of several filters, one after the other, all zero at first. Once they are filled, several threads may read
/// them.
///
/// A block never straddles two cache lines. Lookups are spread over all memory; with large pages, the processor's own
/// tables cover it.
///
/// (Unsafe: `words` points to `count` initialized words. They are changed only by `change`, before other threads have the
/// object, and freed by `release`, which sets the count to zero, after all threads have ended.)
@safe
final class FilterMemory: @unchecked Sendable {  // It does not change once it is filled.
  private let words: UnsafeMutablePointer<UInt64>
  // Read for every payment.
  @exclusivity(unchecked) private var count: Int

  init(count: Int) {
    let length = max(64, 8 * count)
    let largePage = 2 << 20
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: length, alignment: length < largePage ? 64 : largePage)
    if length >= largePage { _ = unsafe madvise(memory, length / largePage * largePage, MADV_HUGEPAGE) }
    unsafe words = memory.bindMemory(to: UInt64.self, capacity: length / 8)
    unsafe words.initialize(repeating: 0, count: length / 8)
    unsafe self.count = length / 8
  }

  deinit { release() }

  /// Frees the memory; nothing may be read afterwards.
  func release() {
    if unsafe count > 0 { unsafe words.deallocate() }
    unsafe count = 0
  }

  /// Changes the words of a filter.
  func change<Result>(
    _ part: Range<Int>, _ body: (inout MutableSpan<UInt64>) throws -> Result
  ) throws -> Result {
    unsafe precondition(part.lowerBound >= 0 && part.upperBound <= count)
    var words = unsafe MutableSpan(_unsafeStart: words + part.lowerBound, count: part.count)
    return try body(&words)
  }

  /// The block that begins at a place.
  @inline(__always) @_lifetime(borrow self)
  func block(at place: Int) -> Span<UInt64> {
    unsafe precondition(place >= 0 && place <= count &- KeyFilter.blockWords)
    return unsafe _overrideLifetime(
      Span(_unsafeStart: words + place, count: KeyFilter.blockWords), borrowing: self)
  }

  /// Prefetches the block that begins at a place.
  @inline(__always)
  func prefetch(_ place: Int) { unsafe settle_prefetch(words + place) }
}
