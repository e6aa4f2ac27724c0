extension TextChunk {
  /// Expands the blocks that the chunk was filled with, and verifies their checksums. Chunks are independent: any
  /// number of chunks of a file may be expanded at the same time.
  ///
  /// Afterwards `text` and `count` are final. The text ends before a corrupt block, and `corruption` reports it instead
  /// of any later corruption. Does nothing for plain text, for linked blocks (they were expanded when they were read)
  /// and when called again.
  public func expand() {
    for block in blocks {
      if let reason = expand(block) {
        corruption = fault(in: block, reason)
        segments.removeSubrange((block.segment + 1)...)
        segments[block.segment].end = nil
        // What followed this block, good or bad, is now out of reach.
        isLastOfFile = true
        break
      }
    }
    for index in segments.indices.dropFirst() {
      segments[index].textEnd = max(segments[index].textEnd, segments[index - 1].textEnd)
    }
    blocks.removeAll(keepingCapacity: true)
  }

  /// Expands one block to the end of the text.
  ///
  /// - Returns: what is wrong with it, as a text that follows "block 1 of frame 1"; nil if it is good.
  func expand(_ block: StoredBlock) -> String? {
    let stored = stored
    let source = stored.span.extracting(block.start..<storedCount)
    if block.hasChecksum {
      let expected = source.littleEndian(at: block.storedCount, as: UInt32.self)
      let checksum = ContentChecksum.of(source.extracting(first: block.storedCount))
      guard checksum == expected else { return "does not match its checksum \(found(checksum, expected: expected))" }
    }
    let bytes = source.extracting(first: block.storedCount)
    let maximum = segments[block.segment].header.blockMaximum
    let room = min(maximum, textCapacity - count)
    guard let expanded = append(bytes, isCompressed: block.isCompressed, room: room) else {
      return "cannot be expanded (found malformed LZ4 data, expected at most \(maximum) bytes of text)"
    }
    count += expanded
    segments[block.segment].textEnd = count
    return nil
  }

  /// Expands or copies the bytes of a block to after the text; returns how many, or nil if they are malformed.
  private func append(_ bytes: Span<UInt8>, isCompressed: Bool, room: Int) -> Int? {
    var memory = memory
    let end = Self.headroom + count
    if isCompressed { return LZ4Block.expand(bytes, into: &memory, at: end..<end + room, prefix: linkedPrefix) }
    precondition(bytes.count <= textCapacity - count, "blocks expanded to more than was reserved for them")
    memory.copy(bytes, to: end)
    return bytes.count
  }

  func fault(in block: StoredBlock, _ reason: String) -> CorruptBatch {
    let frame = segments[block.segment].frameNumber
    return CorruptBatch(
      file: file, storedOffset: block.storedOffset, reason: "block \(block.number) of frame \(frame) \(reason)")
  }
}

/// The most text to which a block can expand: an LZ4 sequence makes at most 255 bytes for each of its own, plus the few
/// that its token alone encodes.
func textBound(storedCount: Int, isCompressed: Bool, blockMaximum: Int) -> Int {
  isCompressed ? min(blockMaximum, 255 * storedCount + 64) : storedCount
}
