/// A line in the form that record readers require: followed by a line ending and then by readable memory.
///
/// The line may begin at any alignment. The readable bytes after it are no line feed and not valid JSON, so that a
/// reader that runs past the end is caught.
public struct LineMemory: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private let start: UnsafeMutablePointer<UInt8>
  /// The line's length.
  public let count: Int

  /// Puts a line into memory, `alignment` bytes after an address that is a multiple of 64.
  public init(_ line: [UInt8], alignment: Int = 0, ending: [UInt8] = [0x0A]) {
    memory = .allocate(byteCount: alignment + line.count + ending.count + 64, alignment: 64)
    start = (memory + alignment).assumingMemoryBound(to: UInt8.self)
    count = line.count
    for (place, byte) in (line + ending + Array(repeating: 0xFF, count: 64)).enumerated() { start[place] = byte }
  }

  deinit { memory.deallocate() }

  /// The line, without what follows it.
  public var line: Span<UInt8> {
    @_lifetime(borrow self) get { _overrideLifetime(Span(_unsafeStart: start, count: count), borrowing: self) }
  }
}
