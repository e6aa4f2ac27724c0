import Digests
import Failures
import SystemPackage

// What the targets above still call with pointers. Each is removed with its last caller.

extension LineReader {
  @safe public struct RawLine {
    public let bytes: UnsafeBufferPointer<UInt8>
    public let hasLineFeed: Bool
    public let isCut: Bool
  }

  @unsafe public final func rawLine(limit: Int) throws(Failure) -> RawLine? {
    guard let line = try line(limit: limit) else { return nil }
    return unsafe RawLine(
      bytes: line.bytes.withUnsafeBufferPointer { unsafe $0 }, hasLineFeed: line.hasLineFeed, isCut: line.isCut)
  }

  @unsafe public final func rawLine() throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    try unsafe rawLine(limit: .max - 1)?.bytes
  }

  @unsafe public final func rawPiece(atMost most: Int = .max) throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    guard let piece = try piece(atMost: most) else { return nil }
    return unsafe piece.withUnsafeBufferPointer { unsafe $0 }
  }

  @unsafe public final func rawRead(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer? {
    guard let piece = try read(count) else { return nil }
    return unsafe piece.withUnsafeBytes { unsafe $0 }
  }
}

extension SpoolFile {
  @unsafe public func append(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    try unsafe append(UnsafeBufferPointer(start: bytes, count: count).span)
  }

  @unsafe public func read(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(Failure) {
    let all = try self.bytes(offset..<offset + count)
    for place in all.indices { unsafe bytes[place] = all[place] }
  }
}

extension PartialFile {
  @unsafe public func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try unsafe write(bytes.assumingMemoryBound(to: UInt8.self).span)
  }
}

extension OpenFile {
  @unsafe public func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    try unsafe write(UnsafeBufferPointer(start: bytes, count: count).span)
  }

  @unsafe public func write(_ bytes: UnsafePointer<UInt8>, count: Int, at offset: Int) throws(Failure) {
    try unsafe write(UnsafeBufferPointer(start: bytes, count: count).span, at: offset)
  }

  @unsafe public static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, count: Int, name: @autoclosure () -> String
  ) throws(Failure) {
    try unsafe writeAll(
      FileDescriptor(rawValue: descriptor), UnsafeBufferPointer(start: bytes, count: count).span, name: name())
  }
}
