import TestOracles
import TestSupport
import Testing

@testable import Input

/// Random damage: never a crash, never wrong text if checksums guard it, and otherwise liblz4's verdict.
@Suite struct FrameDamageTests {
  static let text = SampleText.lines.bytes(300) + SampleText.random.bytes(40)

  /// The first four bytes are not changed: without them the file is plain text.
  @Test(arguments: [false, true], [false, true])
  func aByteFlippedIsNoticed(linked: Bool, compresses: Bool) throws {
    let frame = SampleFrame(
      isLinked: linked, hasBlockChecksums: true, hasContentChecksum: true, contentSize: 680,
      texts: [Self.text, Self.text], compresses: compresses)
    let good = frame.bytes
    for index in 4..<good.count {
      for mask in [1, 16, 128, 255] as [UInt8] {
        var bytes = good
        bytes[index] ^= mask
        let outcome = try readAll(bytes: bytes)
        #expect(outcome.corruption != nil || outcome.text == frame.text, "byte \(index), mask \(mask)")
        // Only the checksum of the whole content covers the bit for stored or compressed.
        if mask == 128, bytes[index] == 128 || good[index] == 128 { continue }
        #expect(frame.text.starts(with: outcome.text), "byte \(index), mask \(mask)")
      }
    }
  }

  static let frames: [SampleFrame] = [
    SampleFrame(texts: [text, text]),
    SampleFrame(isLinked: true, texts: [text, text, Array(text.reversed())]),
    SampleFrame(hasBlockChecksums: true, texts: [text, [1]]),
    SampleFrame(isLinked: true, hasContentChecksum: true, texts: [text, text]),
    SampleFrame(blockCode: 7, contentSize: 340, texts: [text]),
    SampleFrame(isLinked: true, contentSize: 680, texts: [text, text], compresses: false),
    SampleFrame(texts: [SampleText.repetitive.bytes(60_000), text]),
  ]

  @Test(arguments: frames.indices) func theVerdictIsThatOfTheReference(index: Int) throws {
    var generator = SeededGenerator(seed: UInt64(index) + 1)
    let frame = Self.frames[index]
    let good = frame.bytes + SampleFrame.skippable([1, 2]) + frame.bytes
    let scratch = try Scratch()
    #expect(FrameOracle.text(good) == frame.text + frame.text)
    var corrupt = 0
    for round in rounds(600) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damage(&bytes, &generator)
      }
      guard bytes.starts(with: good.prefix(4)) else { continue }
      let outcome = try readAll(scratch.file(bytes), blocksLength: [1, 500, 4 << 20][round % 3])
      // The library accepts a frame that names a dictionary as if it named none.
      if outcome.corruption?.reason.contains("dictionary") == true { continue }
      let expected = FrameOracle.text(bytes)
      #expect((outcome.corruption == nil) == (expected != nil), "round \(round): \(outcome.corruption as Any)")
      if let expected, outcome.corruption == nil { #expect(outcome.text == expected, "round \(round)") }
      corrupt += expected == nil ? 1 : 0
    }
    #expect(corrupt > 100)
  }

  private func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let index = Int.random(in: 4..<max(5, bytes.count - 4), using: &generator)
    guard index + 4 < bytes.count else { return }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...4, using: &generator)))
    case 3: bytes.insert(contentsOf: bytes[index..<(index + 4)], at: index)
    case 4: bytes.removeLast(Int.random(in: 1...min(20, bytes.count - index), using: &generator))
    default: bytes.replaceSubrange(index..<(index + 2), with: [0xFF, 0xFF])
    }
  }
}
