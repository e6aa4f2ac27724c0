/// A line as readers of records want it: a line ending behind it, and readable memory behind that.
///
/// The line may begin at any alignment; what is readable behind it is no line feed and no valid JSON, so that a reader
/// which runs over the end is caught.
public struct LineMemory: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private let start: UnsafeMutablePointer<UInt8>
  /// The line's length.
  public let count: Int

  /// Puts a line into memory, `alignment` bytes behind an address that is a multiple of 64.
  public init(_ line: [UInt8], alignment: Int = 0, ending: [UInt8] = [0x0A]) {
    memory = .allocate(byteCount: alignment + line.count + ending.count + 64, alignment: 64)
    start = (memory + alignment).assumingMemoryBound(to: UInt8.self)
    count = line.count
    for (place, byte) in (line + ending + Array(repeating: 0xFF, count: 64)).enumerated() { start[place] = byte }
  }

  deinit { memory.deallocate() }

  /// The line's first byte.
  public var bytes: UnsafePointer<UInt8> { UnsafePointer(start) }
}
