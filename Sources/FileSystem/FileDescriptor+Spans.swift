import Glibc
import SystemPackage

// Reading into and writing from spans. (Unsafe: the system gets the memory of the spans, which it does not keep.)
extension FileDescriptor {
  /// Appends the next bytes, as far as there is room; nothing at the end of the file.
  public func read(into room: inout OutputSpan<UInt8>) throws(Errno) {
    try unsafe append(to: &room) { free in try unsafe read(into: free) }
  }

  /// Appends the bytes from an offset on, at most `most`, as far as there is room; nothing at the end of the file.
  public func read(fromAbsoluteOffset offset: Int, atMost most: Int = .max, into room: inout OutputSpan<UInt8>)
    throws(Errno)
  {
    try unsafe append(to: &room) { free in
      try unsafe read(
        fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(rebasing: free.prefix(most)))
    }
  }

  /// Replaces bytes by those from an offset on, and returns their number; fewer at the end of the file.
  public func read(fromAbsoluteOffset offset: Int, into bytes: inout MutableSpan<UInt8>) throws(Errno) -> Int {
    try unsafe bytes.withUnsafeMutableBytes { bytes throws(Errno) in
      try systemCall(throwing: { try unsafe read(fromAbsoluteOffset: Int64(offset), into: bytes) })
    }
  }

  private func append(
    to room: inout OutputSpan<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws(Errno) {
    try unsafe room.withUnsafeMutableBufferPointer { bytes, count throws(Errno) in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[count...])
      count += try systemCall(throwing: { try unsafe read(free) })
    }
  }

  /// Writes bytes, perhaps not all of them, and returns their number.
  func write(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
      try systemCall { unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Writes bytes at an offset, perhaps not all of them, and returns their number.
  func write(toAbsoluteOffset offset: Int, _ bytes: Span<UInt8>) throws(Errno) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
      try systemCall { unsafe Glibc.pwrite(rawValue, bytes.baseAddress, bytes.count, off_t(offset)) }
    }
  }
}
