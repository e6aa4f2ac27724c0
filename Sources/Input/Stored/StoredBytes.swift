import Failures
import FileSystem
import Glibc

/// A copy of a batch file that can be read only once, or an open batch file that is read again.
public struct StoredCopy {
  /// An open descriptor of the copy.
  public let descriptor: Int32
  let decipher: (inout MutableSpan<UInt8>, UInt64) -> Void

  /// - Parameters:
  ///   - descriptor: an open descriptor of the copy; it stays open.
  ///   - decipher: decrypts bytes of the copy in place; its second argument is their offset.
  public init(descriptor: Int32, decipher: @escaping (inout MutableSpan<UInt8>, UInt64) -> Void = { _, _ in }) {
    self.descriptor = descriptor
    self.decipher = decipher
  }
}

/// A file that is read by ranges: a remote one, or parts of a local one.
public struct RangedFile {
  /// Its name for messages.
  public let name: String
  /// Its size in bytes.
  public let size: UInt64
  /// Fills the span with the bytes from an offset on; the range is always within the file.
  public let read: (UInt64, inout MutableSpan<UInt8>) throws(Failure) -> Void

  /// - Parameter read: fills the span with the bytes from an offset on; the range is always within the file.
  public init(
    name: String, size: UInt64, read: @escaping (UInt64, inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) {
    self.name = name
    self.size = size
    self.read = read
  }
}

/// Identifies an open file and its state: device, number, size, and time of the last change.
struct FileVersion: Sendable, Equatable {
  private let device: dev_t
  private let number: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat) {
    (device, number, size) = (status.st_dev, status.st_ino, status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

/// The bytes of an open file or pipe, front to back, through a small buffer. It handles short reads and interrupted
/// calls, and large reads go directly to their destination.
///
/// (Unsafe: the system's calls get names and spans of which they know the lengths.)
final class StoredBytes {
  /// Reads smaller than this are served from the buffer.
  static let bufferCapacity = 64 * 1024

  let path: String
  /// The offset in the file at which reading begins, in bytes.
  let start: UInt64
  /// The most bytes read ahead; few if only headers are read.
  var readAhead = bufferCapacity
  /// The size in bytes of a regular file when it was opened, counted from the position it then had; nil for pipes and
  /// devices.
  let size: UInt64?
  /// The bytes read from the file, including those still in the buffer.
  private(set) var bytesRead: UInt64 = 0

  private let descriptor: Int32
  /// Whether the descriptor belongs to the caller and stays open at the end.
  private let isLent: Bool
  /// The version of a regular file when it was opened; nil for pipes and devices.
  let version: FileVersion?
  private let observing: ((Span<UInt8>) -> Void)?
  private let copy: StoredCopy?
  private let ranged: RangedFile?
  private var buffer = [UInt8](repeating: 0, count: StoredBytes.bufferCapacity)
  private var bufferStart = 0
  private var bufferEnd = 0
  private(set) var hasEnded = false

  /// Opens `path`, or takes standard input for `-`, or reads a copy from its beginning.
  ///
  /// - Parameter start: the offset at which a file is read; for standard input, the offset in the whole file at which
  ///   it begins.
  init(
    path: String, copy: StoredCopy? = nil, start: UInt64 = 0, observing: ((Span<UInt8>) -> Void)?
  ) throws(Failure) {
    self.path = path
    self.start = start
    self.observing = observing
    self.copy = copy
    ranged = nil
    isLent = path == "-" || copy != nil
    if let copy {
      descriptor = lseek(copy.descriptor, 0, SEEK_SET) == 0 ? copy.descriptor : -1
    } else if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      descriptor = unsafe FileName.withCString(path) { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    }
    guard descriptor >= 0 else {
      size = nil
      version = nil
      throw .cannotOpen(path, errno)
    }
    var status = stat()
    var code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    if code == 0, start > 0, !isLent, lseek(descriptor, off_t(start), SEEK_SET) < 0 { code = errno }
    if code == 0, status.st_mode & S_IFMT == S_IFREG {
      // Standard input may be a file that another process has read from already.
      let start = lseek(descriptor, 0, SEEK_CUR)
      size = UInt64(max(0, status.st_size - max(0, start)))
      version = FileVersion(status)
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    } else {
      size = nil
      version = nil
    }
    guard code == 0 else { throw .cannotOpen(path, code) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .cannotOpen(path, EISDIR) }
  }

  /// Takes a file that is read by ranges, from an offset on.
  init(_ ranged: RangedFile, start: UInt64) {
    path = ranged.name
    self.start = start
    size = ranged.size - start
    (descriptor, isLent, version, observing, copy) = (-1, true, nil, nil, nil)
    self.ranged = ranged
  }

  deinit {
    if descriptor >= 0, !isLent { close(descriptor) }
  }

  /// The offset in the file of the next byte to be read.
  var position: UInt64 { start + bytesRead - UInt64(bufferEnd - bufferStart) }

  /// The next `count` bytes without taking them; fewer at the end of the file.
  ///
  /// - Parameter count: at most `bufferCapacity`.
  func peek(_ count: Int) throws(Failure) -> [UInt8] {
    let count = try buffered(count)
    return Array(buffer[bufferStart..<bufferStart + count])
  }

  /// Reads until the buffer has the next `count` bytes; returns how many it has, fewer at the end of the file.
  private func buffered(_ count: Int) throws(Failure) -> Int {
    precondition(count <= Self.bufferCapacity)
    if bufferEnd - bufferStart < count {
      for place in bufferStart..<bufferEnd { buffer[place - bufferStart] = buffer[place] }
      bufferEnd -= bufferStart
      bufferStart = 0
      while bufferEnd < count {
        let got = try fill(&buffer, bufferEnd..<max(count, readAhead))
        if got == 0 { break }
        bufferEnd += got
      }
    }
    return min(count, bufferEnd - bufferStart)
  }

  /// Reads once into a part of the buffer.
  private func fill(_ buffer: inout [UInt8], _ part: Range<Int>) throws(Failure) -> Int {
    var all = buffer.mutableSpan
    var room = all.part(part)
    return try readOnce(into: &room)
  }

  /// Takes `count` bytes that `peek` has shown.
  func dropPeeked(_ count: Int) {
    precondition(count <= bufferEnd - bufferStart)
    bufferStart += count
  }

  /// Takes the next bytes into `destination`, until it is full.
  ///
  /// - Returns: the number of bytes; fewer only if the file ends.
  func read(into destination: inout MutableSpan<UInt8>) throws(Failure) -> Int {
    var count = 0
    while count < destination.count {
      if bufferStart < bufferEnd {
        let copied = min(destination.count - count, bufferEnd - bufferStart)
        destination.copy(buffer.span.extracting(bufferStart..<bufferStart + copied), to: count)
        bufferStart += copied
        count += copied
      } else if destination.count - count >= Self.bufferCapacity {
        var rest = destination.part(count..<destination.count)
        let got = try readOnce(into: &rest)
        if got == 0 { break }
        count += got
      } else {
        (bufferStart, bufferEnd) = (0, 0)
        bufferEnd = try fill(&buffer, 0..<Self.bufferCapacity)
        if bufferEnd == 0 { break }
      }
    }
    return count
  }

  /// Skips the next `count` bytes.
  ///
  /// - Returns: the bytes skipped; fewer than `count` only if the file ends.
  func skip(_ count: UInt64) throws(Failure) -> UInt64 {
    var skipped: UInt64 = 0
    let ahead = position - start + count
    if let size, observing == nil, UInt64(bufferEnd - bufferStart) < count, ahead <= size,
      ranged != nil || (!isLent && lseek(descriptor, off_t(start + ahead), SEEK_SET) >= 0)
    {
      bytesRead = ahead
      (bufferStart, bufferEnd) = (0, 0)
      return count
    }
    while skipped < count {
      let step = try buffered(Int(min(count - skipped, UInt64(Self.bufferCapacity))))
      if step == 0 { break }
      dropPeeked(step)
      skipped += UInt64(step)
    }
    return skipped
  }

  /// A read fails after it was interrupted, or had nothing to read, this many times in a row.
  private static let mostInterruptions = 1000

  /// One successful `read`; 0 at the end of the file and in all later calls.
  private func readOnce(into destination: inout MutableSpan<UInt8>) throws(Failure) -> Int {
    if hasEnded { return 0 }
    if let ranged {
      let at = start + bytesRead
      let length = Int(min(UInt64(destination.count), ranged.size - at))
      if length > 0 {
        var room = destination.part(0..<length)
        try ranged.read(at, &room)
      }
      bytesRead += UInt64(length)
      hasEnded = length == 0
      return length
    }
    var interruptions = 0
    while true {
      let got = unsafe destination.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if got > 0 {
        var bytes = destination.part(0..<got)
        copy?.decipher(&bytes, bytesRead)
        bytesRead += UInt64(got)
        // A file that grows while it is read is still being written. (Files of the system such as `/proc` have size 0.)
        if let size, size > 0, bytesRead > size { throw .changed(path) }
        observing?(bytes.span)
        return got
      }
      if got == 0 {
        try checkUnchanged()
        hasEnded = true
        return 0
      }
      switch errno {
      case EINTR where interruptions < Self.mostInterruptions: interruptions += 1
      case EAGAIN where interruptions < Self.mostInterruptions:
        interruptions += 1
        waitUntilReadable()
      default: throw .cannotRead(path, words(errno))
      }
    }
  }

  /// At its end, a file must be unchanged since it was opened; otherwise it is unknown which version was read.
  private func checkUnchanged() throws(Failure) {
    guard let size, let version else { return }
    if bytesRead < size { throw .shrank(path, from: size, to: bytesRead) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .cannotRead(path, words(errno)) }
    guard FileVersion(status) == version else { throw .changed(path) }
  }

  /// Another process may have made a shared standard input non-blocking.
  private func waitUntilReadable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}

/// The system's text for an error, or a clearer one.
private func words(_ code: Int32) -> String {
  if code == EISDIR { return "it is a directory, where a batch file was expected" }
  return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}

extension Failure {
  /// A batch file that cannot be opened, or examined right after; `-` is standard input.
  fileprivate static func cannotOpen(_ path: String, _ code: Int32) -> Failure {
    .unreadable("\(OutputPlace.shown(path)): cannot open the file: \(words(code))")
  }

  /// An open batch file whose bytes cannot be read. Nothing is known about them.
  package static func cannotRead(_ path: String, _ why: String) -> Failure {
    .inputOutput("\(OutputPlace.shown(path)): cannot read the file: \(why)")
  }

  fileprivate static func changed(_ path: String) -> Failure {
    .cannotRead(path, "it was changed while it was read; wait until its writer is done")
  }

  fileprivate static func shrank(_ path: String, from size: UInt64, to bytesRead: UInt64) -> Failure {
    .cannotRead(
      path, "it had \(size) bytes when it was opened and ended after \(bytesRead): it was cut while it was read")
  }
}
