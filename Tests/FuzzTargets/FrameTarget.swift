import Failures
import Input
import Foundation
import TestOracles
import TestSupport

/// A stored file, read to its end in chunks of several lengths.
enum FrameTarget {
  /// The lengths of chunks, plain and of blocks: as in a run, and so short that everything is cut.
  private static let lengths = [(plain: 1 << 20, blocks: 4 << 20), (plain: 7, blocks: 1), (plain: 64, blocks: 70_000)]

  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let place = Scratch.file("frames", bytes)
    defer { place.remove() }
    var readings: [Reading] = []
    for (plain, blocks) in lengths { readings.append(try Reading(place.path, plain: plain, blocks: blocks)) }
    for other in readings.dropFirst() {
      try require(other.isSame(as: readings[0]), "\(other) in short chunks, \(readings[0]) in long ones")
    }
    let (text, reason) = (readings[0].text, readings[0].corruption?.reason)
    guard Self.isStoredForm(bytes) else {
      try require(reason == nil && text == bytes, "plain text is not read as it is: \(readings[0])")
      return
    }
    // liblz4 treats a frame that names a dictionary like one without.
    if reason?.contains("needs dictionary") == true { return }
    let expected = bytes.isEmpty ? [] : FrameOracle.text(bytes)
    try require(
      (reason == nil) == (expected != nil), "liblz4 \(expected == nil ? "refuses" : "takes") it: \(readings[0])")
    if let expected { try require(text == expected, "liblz4 finds another text than \(readings[0])") }
  }

  /// Whether the first bytes show that a file is not plain text: LZ4, a part of its magic number, or a foreign format.
  private static func isStoredForm(_ bytes: [UInt8]) -> Bool {
    let frame: [UInt8] = [0x04, 0x22, 0x4D, 0x18]
    let isSkippable =
      bytes.count >= 4 && bytes[0] & 0xF0 == 0x50 && Array(bytes[1..<4]) == [0x2A, 0x4D, 0x18]
    let foreign: [[UInt8]] = [
      [0x02, 0x21, 0x4C, 0x18], [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], Array("BZh".utf8), [0xFD] + Array("7zXZ".utf8),
      [0x50, 0x4B, 0x03, 0x04],
    ]
    return isSkippable || bytes.starts(with: frame) || frame.starts(with: bytes)
      || foreign.contains { bytes.starts(with: $0) }
  }
}

/// The result of reading a file.
private struct Reading: CustomStringConvertible {
  var text: [UInt8] = []
  var corruption: CorruptBatch?

  var description: String { "\(text.count) bytes of text, \(corruption.map { "\($0)" } ?? "not corrupt")" }

  /// Whether two readings agree. The checksum of a frame's whole content is compared only after all of a chunk has been
  /// expanded, so the text before such a failure ends where the chunk ends.
  func isSame(as other: Reading) -> Bool {
    guard corruption == other.corruption else { return false }
    return corruption == nil ? text == other.text : text.starts(with: other.text) || other.text.starts(with: text)
  }

  /// Reads the file as a run does, two chunks in turn.
  init(_ path: String, plain: Int, blocks: Int) throws(Disagreement) {
    do throws(Failure) {
      try read(path, (0..<2).map { _ in TextChunk(plainLength: plain, blocksLength: blocks) })
    } catch {
      throw Disagreement(words: "cannot be read: \(error)")
    }
  }

  private mutating func read(_ path: String, _ chunks: [TextChunk]) throws(Failure) {
    let verifier = ContentVerifier()
    let file = try StoredBatchFile(path: path)
    var number = 0
    while try file.readNext(into: chunks[number % 2]) {
      let chunk = chunks[number % 2]
      chunk.expand()
      text.append(chunk.span)
      corruption = verifier.verify(chunk)
      if corruption != nil { return }
      number += 1
    }
  }
}
