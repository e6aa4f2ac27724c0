import Glibc

/// Memory between two inaccessible pages: reading or writing one byte too many ends the process, with or without an
/// address sanitizer.
final class GuardedBytes {
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private let page: Int

  /// Room for at least `count` bytes.
  init(count: Int) {
    page = Int(sysconf(Int32(_SC_PAGESIZE)))
    capacity = (count + page - 1) / page * page
    let whole = mmap(nil, capacity + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let whole, whole != MAP_FAILED, mprotect(whole + page, capacity, PROT_READ | PROT_WRITE) == 0 else {
      fatalError("no memory for \(count) bytes between guards")
    }
    start = (whole + page).assumingMemoryBound(to: UInt8.self)
  }

  /// A line with what follows it, directly before the guard page at the end.
  @_lifetime(borrow self)
  func line(_ line: [UInt8], _ ending: [UInt8]) -> Span<UInt8> {
    let text = line + ending
    return _overrideLifetime(
      Span(_unsafeStart: put(text, at: capacity - text.count), count: line.count), borrowing: self)
  }

  /// A text directly after the guard page at the start.
  @_lifetime(borrow self)
  func first(_ text: [UInt8]) -> Span<UInt8> {
    _overrideLifetime(Span(_unsafeStart: put(text, at: 0), count: text.count), borrowing: self)
  }

  deinit { munmap(start - page, capacity + 2 * page) }

  private func put(_ bytes: [UInt8], at place: Int) -> UnsafePointer<UInt8> {
    precondition(bytes.count <= capacity, "\(bytes.count) bytes for \(capacity)")
    for (index, byte) in bytes.enumerated() { start[place + index] = byte }
    return UnsafePointer(start + place)
  }
}
