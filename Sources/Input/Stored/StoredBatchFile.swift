import Failures

/// One stored batch file, or standard input, read front to back in chunks. Its first bytes decide whether it is plain
/// text or LZ4 frames.
///
/// One caller at a time. Reading is serial and cheap. The expensive part is left to `TextChunk.expand()`, except for
/// frames of linked blocks, which can only be expanded in order and are expanded here.
///
/// Memory: 64 KiB of buffer, and 64 KiB more for linked blocks, for any file; see ``TextChunk`` for the rest. The file
/// is never mapped into memory, so truncating it while it is read causes an error and not a signal.
public final class StoredBatchFile: @unchecked Sendable {  // Its owner lets one thread use it at a time.
  /// The file as given; `-` is standard input.
  public let name: String

  /// The size of a regular file when it was opened, in bytes; nil for a pipe or device. For progress only.
  public var storedSize: UInt64? { input.size }

  /// The bytes read from the file so far: at most 64 KiB more than the chunks have received. Only the reading thread
  /// may ask.
  public var storedBytesRead: UInt64 { input.bytesRead }

  /// The format of the file and the state of reading.
  enum Phase {
    case unread
    case plain
    case frames
    case ended
    case failed(Failure)
  }

  let input: StoredBytes
  private(set) var phase = Phase.unread

  /// The offset in the file at which reading stops, before a block or a frame of LZ4. Nothing that begins there is read
  /// until it is moved; nil for the file's end.
  public var rangeEnd: UInt64?

  /// The offset in the file of the next block, frame, or byte of plain text.
  public var position: UInt64 { frame?.nextOffset ?? input.position }

  /// Whether the system has reported the end of the file.
  public var hasEnded: Bool { input.hasEnded }

  /// Whether the end of the range is reached.
  var isAtRangeEnd: Bool { rangeEnd.map { position >= $0 } ?? false }

  // The state of reading LZ4 frames.
  var frame: OpenFrame?
  var frameCount = 0
  /// The end of a linked frame's text, kept from one chunk to the next.
  var history: [UInt8] = []

  /// Opens the file. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - path: a path, or `-` for standard input, which is left open at the end.
  ///   - copy: a copy of the file, which is read from its beginning instead.
  ///   - observing: called with every stored byte once, in order, in runs of any length; may be nil. Reading stops at
  ///     the first corruption, so it gets all bytes only of a good file.
  /// - Throws: `Failure` if the file cannot be opened or is a directory.
  public init(
    path: String, copy: StoredCopy? = nil, observing: ((Span<UInt8>) -> Void)? = nil
  ) throws(Failure) {
    name = path
    input = try StoredBytes(path: path, copy: copy, observing: observing)
  }

  /// Opens the file at a place within it, or takes standard input, which begins with the byte at that place.
  ///
  /// - Parameters:
  ///   - path: a path, or `-`.
  ///   - observing: called with every stored byte from the place on.
  public init(
    path: String, at place: StoredPlace, observing: ((Span<UInt8>) -> Void)?
  ) throws(Failure) {
    name = path
    input = try StoredBytes(path: path, start: place.offset, observing: observing)
    begin(at: place)
  }

  /// Takes a file that is read by ranges, from a place on.
  public init(_ file: RangedFile, at place: StoredPlace = StoredPlace(offset: 0, isPlain: false)) {
    name = file.name
    input = StoredBytes(file, start: place.offset)
    begin(at: place)
  }

  private func begin(at place: StoredPlace) {
    if place.offset > 0 { phase = place.isPlain ? .plain : .frames }
    frameCount = place.frames
    if let block = place.block {
      isWithinFrame = true
      frame = OpenFrame(
        number: place.frames, header: block.header, next: .endMark, nextOffset: place.offset, nextNumber: block.number)
    }
  }

  /// Whether reading began within a frame, and the header of its next block has not been read yet.
  var isWithinFrame = false

  /// Fills `chunk` with the file's next run of text. Waits for a pipe until the chunk is full or the file ends.
  ///
  /// LZ4 blocks are read here and expanded by the chunk's `expand()`. A corrupt file delivers all text before the
  /// break: the chunk with the end of that text has `corruption` set, and is the last one.
  ///
  /// - Parameter chunk: a chunk that is not in use; its content is lost.
  /// - Returns: false if the file has ended; the chunk is then empty. An empty file has no chunks.
  /// - Throws: `Failure` if the system cannot read the file, or if the file was changed while it was read. Then
  ///   neither the chunk nor the file can be used: later calls throw the same error.
  public func readNext(into chunk: TextChunk) throws(Failure) -> Bool {
    do throws(Failure) {
      switch phase {
      case .unread:
        try detectFormat()
        return try readNext(into: chunk)
      case .plain: return try readPlain(into: chunk)
      case .frames: return try readFrames(into: chunk)
      case .ended:
        chunk.begin(file: name, capacity: 0)
        chunk.isLastOfFile = true
        return false
      case .failed(let failure): throw failure
      }
    } catch {
      phase = .failed(error)
      throw error
    }
  }

  /// Takes the next stored bytes unchanged, to copy the file. Do not mix it with `readNext`.
  ///
  /// - Parameter bytes: has at least `count` bytes, which are replaced.
  /// - Returns: the bytes taken; fewer than `count` only if the file ends.
  public func readStored(_ count: Int, into bytes: inout [UInt8]) throws(Failure) -> Int {
    var all = bytes.mutableSpan
    var room = all.part(0..<count)
    return try input.read(into: &room)
  }

  /// The content decides, not the name.
  func detectFormat() throws(Failure) {
    let start = try input.peek(max(4, ForeignFormat.longestMagic))
    let magic = start.count < 4 ? nil : start.span.littleEndian(at: 0, as: UInt32.self)
    if start.isEmpty {
      phase = .ended
    } else if ForeignFormat(start: start) != nil || magic.map(LZ4Magic.init) ?? .unknown != .unknown
      || (start.count < 4 && LZ4Magic.frameBytes.starts(with: start))
    {
      phase = .frames
    } else {
      phase = .plain
    }
  }

  private func readPlain(into chunk: TextChunk) throws(Failure) -> Bool {
    chunk.begin(file: name, capacity: chunk.plainLength)
    chunk.isPlain = true
    let left = rangeEnd.map { Int(clamping: $0 - min($0, position)) } ?? .max
    try chunk.readText(min(chunk.plainLength, left), from: input)
    chunk.isLastOfFile = try input.peek(1).isEmpty
    if chunk.isLastOfFile { phase = .ended }
    return chunk.count > 0
  }

  private func readFrames(into chunk: TextChunk) throws(Failure) -> Bool {
    chunk.begin(file: name, capacity: max(chunk.blocksLength, TextChunk.largestBlock))
    do {
      chunk.isLastOfFile = try gatherFrames(into: chunk)
    } catch let failure as Failure {
      throw failure
    } catch {
      guard let corruption = error as? CorruptBatch else { preconditionFailure("an error of neither kind: \(error)") }
      chunk.corruption = corruption
      chunk.isLastOfFile = true
    }
    if chunk.isLastOfFile { phase = .ended }
    return !chunk.segments.isEmpty || chunk.corruption != nil
  }
}
