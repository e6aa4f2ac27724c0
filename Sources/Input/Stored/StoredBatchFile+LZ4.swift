/// An LZ4 frame of which the header was read, but not yet the end.
struct OpenFrame {
  /// Its number in the file, from 1; skippable frames are not counted.
  let number: Int
  let header: LZ4FrameHeader
  /// The header of the next block, which was already read, and its offset in the file.
  var next: BlockHeader
  var nextOffset: UInt64
  /// The number of the next block, from 1.
  var nextNumber = 1
  /// The offset of the frame's header in the file, if it was read.
  var start: UInt64 = 0
}

extension StoredBatchFile {
  /// Gathers blocks in `chunk` until it is full. A chunk never has both independent and linked blocks: independent ones
  /// wait to be expanded, linked ones are expanded here.
  ///
  /// - Returns: whether the file has ended.
  func gatherFrames(into chunk: TextChunk) throws -> Bool {
    var segmentIsOpen = false
    while true {
      if isWithinFrame { try readFirstHeader() }
      if frame == nil {
        frame = try openNextFrame()
        segmentIsOpen = false
      }
      guard let open = frame else { return !isAtRangeEnd }
      if isAtRangeEnd {
        if segmentIsOpen, open.header.blocksAreLinked {
          history = chunk.linkedText
        }
        return false
      }
      if !segmentIsOpen {
        guard openSegment(of: open, in: chunk) else { return false }
        segmentIsOpen = true
      }
      switch open.next {
      case .endMark:
        let checksum =
          open.header.hasContentChecksum ? try readNumber("the content checksum of frame \(open.number)") : nil
        chunk.segments[chunk.segments.count - 1].end = FrameEnd(
          storedOffset: open.nextOffset, contentChecksum: checksum)
        frame = nil
      case .block(let storedCount, let isCompressed):
        let bound = textBound(
          storedCount: storedCount, isCompressed: isCompressed, blockMaximum: open.header.blockMaximum)
        guard chunk.hasRoom(for: bound) else {
          if open.header.blocksAreLinked { history = chunk.linkedText }
          return false
        }
        try readBlock(storedCount: storedCount, isCompressed: isCompressed, of: open, into: chunk)
        chunk.reservedCount += open.header.blocksAreLinked ? 0 : bound
        let (offset, number) = (input.position, open.nextNumber + 1)
        let next = try readBlockHeader(frame: open.number, header: open.header, block: number)
        frame = OpenFrame(
          number: open.number, header: open.header, next: next, nextOffset: offset, nextNumber: number)
      }
    }
  }

  /// Takes the header of the first block, if reading began within a frame.
  private func readFirstHeader() throws {
    guard let open = frame else { return }
    isWithinFrame = false
    let next = try readBlockHeader(frame: open.number, header: open.header, block: open.nextNumber)
    frame = OpenFrame(
      number: open.number, header: open.header, next: next, nextOffset: open.nextOffset, nextNumber: open.nextNumber)
  }

  /// - Returns: false if the chunk cannot take the frame.
  private func openSegment(of open: OpenFrame, in chunk: TextChunk) -> Bool {
    if let last = chunk.segments.last {
      guard last.header.blocksAreLinked == open.header.blocksAreLinked, chunk.segments.count < TextChunk.mostBlocks
      else { return false }
    }
    let begins = open.nextNumber == 1
    chunk.linkedPrefix = 0
    if open.header.blocksAreLinked && !begins { chunk.restore(history) }
    chunk.segments.append(
      FrameSegment(
        frameNumber: open.number, header: open.header, beginsFrame: begins, textEnd: chunk.count, end: nil))
    return true
  }

  /// Takes the bytes of a block and its checksum.
  private func readBlock(
    storedCount: Int, isCompressed: Bool, of open: OpenFrame, into chunk: TextChunk
  ) throws {
    if open.header.blocksAreLinked { chunk.storedCount = 0 }
    let wanted = storedCount + (open.header.hasBlockChecksums ? 4 : 0)
    let read = try chunk.readStored(wanted, from: input)
    guard read == wanted else {
      throw truncated("block \(open.nextNumber) of frame \(open.number)", has: read, of: wanted)
    }
    let block = StoredBlock(
      number: open.nextNumber, storedOffset: open.nextOffset, isCompressed: isCompressed,
      hasChecksum: open.header.hasBlockChecksums, storedCount: storedCount, segment: chunk.segments.count - 1,
      start: chunk.storedCount - wanted)
    guard open.header.blocksAreLinked else {
      chunk.blocks.append(block)
      return
    }
    let start = chunk.count
    if let reason = chunk.expand(block) { throw chunk.fault(in: block, reason) }
    chunk.linkedPrefix = min(TextChunk.headroom, chunk.linkedPrefix + chunk.count - start)
  }

  /// Skips skippable frames and reads the header of the next LZ4 frame and of its first block.
  ///
  /// - Returns: nil at the end of the file or of the range.
  func openNextFrame() throws -> OpenFrame? {
    while true {
      let offset = input.position
      if isAtRangeEnd { return nil }
      let start = try input.peek(ForeignFormat.longestMagic)
      if start.isEmpty { return nil }
      if offset == 0, let foreign = ForeignFormat(start: start) { throw corrupt(at: 0, foreign.reason) }
      guard start.count >= 4 else { throw startsNoFrame(start, at: offset) }
      switch LZ4Magic(start.span.littleEndian(at: 0, as: UInt32.self)) {
      case .frame:
        input.dropPeeked(4)
        frameCount += 1
        let header = try readFrameHeader(at: offset)
        let blockOffset = input.position
        let next = try readBlockHeader(frame: frameCount, header: header, block: 1)
        return OpenFrame(
          number: frameCount, header: header, next: next, nextOffset: blockOffset, start: offset)
      case .skippable:
        input.dropPeeked(4)
        try skipFrame()
      case .legacy:
        throw corrupt(
          at: offset,
          "found an LZ4 frame of the legacy format, which is not supported: recompress with lz4, without -l")
      case .unknown:
        throw startsNoFrame(start, at: offset)
      }
    }
  }

  private func readFrameHeader(at offset: UInt64) throws -> LZ4FrameHeader {
    let start = try input.peek(2)
    guard start.count == 2 else { throw truncated("the header of frame \(frameCount)", has: start.count, of: 3) }
    do {
      let count = try LZ4FrameHeader.byteCount(flags: start[0], blockDescriptor: start[1])
      let bytes = try input.peek(count)
      guard bytes.count == count else {
        throw truncated("the header of frame \(frameCount)", has: bytes.count, of: count)
      }
      let header = try LZ4FrameHeader(bytes.span)
      input.dropPeeked(count)
      return header
    } catch let fault as LZ4FrameHeader.Fault {
      throw corrupt(at: offset, "frame \(frameCount) \(fault.reason)\(Self.textNote(try input.peek(8)))")
    }
  }

  func readBlockHeader(frame: Int, header: LZ4FrameHeader, block: Int) throws -> BlockHeader {
    let offset = input.position
    let next = BlockHeader(try readNumber("block \(block) of frame \(frame), or the frame's end mark"))
    if case .block(let storedCount, _) = next, storedCount > header.blockMaximum {
      throw corrupt(
        at: offset,
        "block \(block) of frame \(frame) is too large (found \(storedCount) stored bytes, expected at most "
          + "\(header.blockMaximum))")
    }
    return next
  }

  private func skipFrame() throws {
    let count = UInt64(try readNumber("the length of a skippable frame"))
    let skipped = try input.skip(count)
    guard skipped == count else {
      throw corrupt(
        at: input.position, "the file is truncated in a skippable frame (found \(skipped) bytes, expected \(count))")
    }
  }
}

extension StoredBatchFile {
  func readNumber(_ element: String) throws -> UInt32 {
    let bytes = try input.peek(4)
    guard bytes.count == 4 else { throw truncated(element, has: bytes.count, of: 4) }
    input.dropPeeked(4)
    return bytes.span.littleEndian(at: 0, as: UInt32.self)
  }

  private func corrupt(at offset: UInt64, _ reason: String) -> CorruptBatch {
    CorruptBatch(file: name, storedOffset: offset, reason: reason)
  }

  private func truncated(_ element: String, has found: Int, of expected: Int) -> CorruptBatch {
    corrupt(
      at: input.start + input.bytesRead,
      "the file is truncated: it ends in \(element) (found \(found) bytes, expected \(expected))")
  }

  private func startsNoFrame(_ start: [UInt8], at offset: UInt64) -> CorruptBatch {
    if LZ4Magic.frameBytes.starts(with: start) {
      return truncated("the magic number of an LZ4 frame", has: start.count, of: 4)
    }
    let found = start.prefix(4).map { byte in String(hexadecimal(byte).dropFirst(2)) }.joined(separator: " ")
    let note = Self.textNote(start)
    return corrupt(
      at: offset, "found bytes that start no LZ4 frame (\(found)), expected 04 22 4D 18 or the end of the file\(note)")
  }

  /// The text that is added to a message if plain text is in the place of LZ4.
  private static func textNote(_ bytes: [UInt8]) -> String {
    let isText = bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return isText ? "; plain text is there, after LZ4 frames" : ""
  }
}

extension TextChunk {
  /// Whether a block that may expand to `bound` bytes fits. The first one always does.
  func hasRoom(for bound: Int) -> Bool {
    if blocks.isEmpty && count == 0 { return true }
    return blocks.count < Self.mostBlocks && count + reservedCount + bound <= blocksLength
  }
}
