import Failures

/// A place in a stored file at which reading can begin, and what the reader must know about the file before it.
public struct StoredPlace: Sendable, Equatable {
  /// A block of a frame of independent blocks, at which reading begins within the frame.
  public struct Block: Sendable, Equatable {
    /// Its number in the frame, from 1.
    public var number: Int
    /// The most text that a block of the frame holds, in bytes.
    public var maximum: Int
    /// Whether checksums follow the frame's blocks.
    public var hasBlockChecksums: Bool
    /// Whether a checksum of the whole content follows the frame.
    public var hasContentChecksum: Bool

    public init(number: Int, maximum: Int, hasBlockChecksums: Bool, hasContentChecksum: Bool) {
      self.number = number
      self.maximum = maximum
      self.hasBlockChecksums = hasBlockChecksums
      self.hasContentChecksum = hasContentChecksum
    }

    init(number: Int, of header: LZ4FrameHeader) {
      self.init(
        number: number, maximum: header.blockMaximum, hasBlockChecksums: header.hasBlockChecksums,
        hasContentChecksum: header.hasContentChecksum)
    }

    /// The frame's header, as far as it matters here.
    var header: LZ4FrameHeader {
      LZ4FrameHeader(
        blockMaximum: maximum, blocksAreLinked: false, hasBlockChecksums: hasBlockChecksums,
        hasContentChecksum: hasContentChecksum, contentSize: nil)
    }
  }

  /// The offset in the file, in bytes.
  public var offset: UInt64
  /// Whether the file is plain text.
  public var isPlain: Bool
  /// The number of LZ4 frames that begin before it; skippable ones are not counted.
  public var frames: Int
  /// The block there; nil between frames, and in plain text.
  public var block: Block?

  public init(offset: UInt64, isPlain: Bool, frames: Int = 0, block: Block? = nil) {
    self.offset = offset
    self.isPlain = isPlain
    self.frames = frames
    self.block = block
  }
}

/// The blocks of an LZ4 file from one place at which reading can begin to the next.
public struct StoredPiece: Sendable {
  /// Where it begins.
  public let place: StoredPlace
  /// The most bytes of text that it may hold: each block counts as its frame's maximum.
  public let textBound: Int
  /// Whether it is a frame of linked blocks, which cannot be cut.
  public let isLinked: Bool
}

extension StoredBatchFile {
  /// The place at which the next chunk begins; nil within a frame of linked blocks, where reading cannot begin.
  public var place: StoredPlace? {
    guard let frame else {
      let isPlain = if case .plain = phase { true } else { false }
      return StoredPlace(offset: position, isPlain: isPlain, frames: frameCount)
    }
    if frame.nextNumber == 1 { return StoredPlace(offset: frame.start, isPlain: false, frames: frame.number - 1) }
    if frame.header.blocksAreLinked { return nil }
    let block = StoredPlace.Block(number: frame.nextNumber, of: frame.header)
    return StoredPlace(offset: frame.nextOffset, isPlain: false, frames: frame.number, block: block)
  }

  /// Visits the pieces of a file of LZ4 frames and reads only headers. Of a corrupt file it visits the pieces before
  /// the break.
  ///
  /// - Returns: whether the file is plain text; then nothing is visited.
  public func visitPieces(_ body: (StoredPiece) -> Void) throws(Failure) -> Bool {
    input.readAhead = 32
    do {
      try detectFormat()
      if case .plain = phase { return true }
      while let open = try openNextFrame() { try visitPieces(of: open, body) }
    } catch let failure as Failure {
      throw failure
    } catch {}
    return false
  }

  private func visitPieces(of first: OpenFrame, _ body: (StoredPiece) -> Void) throws {
    let header = first.header
    var (next, offset, number) = (first.next, first.nextOffset, 1)
    var blocks = 0
    while case .block(let storedCount, _) = next {
      blocks += 1
      if !header.blocksAreLinked {
        let block = StoredPlace.Block(number: number, of: header)
        let place =
          number == 1
          ? StoredPlace(offset: first.start, isPlain: false, frames: first.number - 1)
          : StoredPlace(offset: offset, isPlain: false, frames: first.number, block: block)
        body(StoredPiece(place: place, textBound: header.blockMaximum, isLinked: false))
      }
      let wanted = UInt64(storedCount + (header.hasBlockChecksums ? 4 : 0))
      guard try input.skip(wanted) == wanted else { return }
      offset = input.position
      number += 1
      next = try readBlockHeader(frame: first.number, header: header, block: number)
    }
    if header.blocksAreLinked || blocks == 0 {
      body(
        StoredPiece(
          place: StoredPlace(offset: first.start, isPlain: false, frames: first.number - 1),
          textBound: blocks * header.blockMaximum, isLinked: header.blocksAreLinked))
    }
    if header.hasContentChecksum { _ = try readNumber("the content checksum of frame \(first.number)") }
  }
}
