import Glibc

/// Copies a few bytes at a time, as most copies here do: a call of `memcpy` would cost more than the copying.
public enum ByteCopy {
  /// Copies `count` bytes, reading and writing no others; up to 32 bytes are copied as two overlapping halves.
  @inlinable @inline(__always)
  public static func copy(_ from: UnsafePointer<UInt8>, count: Int, to: UnsafeMutablePointer<UInt8>) {
    if count > 32 {
      unsafe memcpy(to, from, count)
    } else if count > 16 {
      unsafe halves(from, count, to, SIMD16<UInt8>.self)
    } else if count >= 8 {
      unsafe halves(from, count, to, UInt64.self)
    } else if count >= 4 {
      unsafe halves(from, count, to, UInt32.self)
    } else if count > 0 {
      unsafe to[0] = from[0]
      unsafe to[count &>> 1] = from[count &>> 1]
      unsafe to[count &- 1] = from[count &- 1]
    }
  }

  @inlinable @inline(__always)
  static func halves<Word: BitwiseCopyable>(
    _ from: UnsafePointer<UInt8>, _ count: Int, _ to: UnsafeMutablePointer<UInt8>, _ word: Word.Type
  ) {
    let last = count &- MemoryLayout<Word>.size
    let first = unsafe UnsafeRawPointer(from).loadUnaligned(as: word)
    let second = unsafe UnsafeRawPointer(from + last).loadUnaligned(as: word)
    unsafe UnsafeMutableRawPointer(to).storeBytes(of: first, as: word)
    unsafe UnsafeMutableRawPointer(to + last).storeBytes(of: second, as: word)
  }
}
