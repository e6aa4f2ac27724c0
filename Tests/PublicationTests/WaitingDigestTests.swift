import Digests
import Dispatch
import TestSupport
import Testing
import Text
import Threads

@testable import Publication

@Suite("A digest whose text waits for other bytes")
struct WaitingDigestTests {
  private static func text(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let first = UInt8.random(in: 0...255, using: &random)
    return (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
  }

  private static func buffer(_ text: [UInt8]) -> TextBuffer {
    var buffer = TextBuffer()
    buffer.append(text.span)
    return buffer
  }

  @Test("both digests are right, whichever is longer or comes first")
  func both() {
    var random = SeededGenerator()
    for _ in 0..<30 {
      var begun = SHA256()
      begun.update(([1, 2, 3] as [UInt8]).span)
      let digest = WaitingDigest(begun)
      var (written, stored): ([UInt8], [UInt8]) = ([1, 2, 3], [])
      var other = SHA256()
      for _ in 0..<Int.random(in: 0...16, using: &random) {
        let part = Self.text(
          .random(in: 0...3 << 20, using: &random) >> Int.random(in: 0...16, using: &random), &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          digest.append(part.span)
          written += part
        case 1:
          var text = Self.buffer(part)
          digest.append(&text)
          written += part
        default:
          digest.update(&other, part.span)
          stored += part
        }
      }
      let found = digest.finalize()
      #expect(found == SHA256.digest(of: written), "\(random.reproduction)")
      #expect(other.finalize() == SHA256.digest(of: stored), "\(random.reproduction)")
    }
  }

  @Test("one thread may append while another takes the text along")
  func atOnce() {
    var random = SeededGenerator()
    let digest = WaitingDigest()
    let texts = (0..<60).map { _ in Self.text(.random(in: 0...300_000, using: &random), &random) }
    let parts = (0..<60).map { _ in Self.text(.random(in: 0...300_000, using: &random), &random) }
    let appending = DispatchGroup()
    WorkerThreads.start(1, named: "commit", in: appending) { _ in
      for text in texts {
        var buffer = Self.buffer(text)
        digest.append(&buffer)
      }
    }
    var other = SHA256()
    for part in parts { digest.update(&other, part.span) }
    appending.wait()
    let found = digest.finalize()
    #expect(found == SHA256.digest(of: texts.flatMap { $0 }), "\(random.reproduction)")
    #expect(other.finalize() == SHA256.digest(of: parts.flatMap { $0 }), "\(random.reproduction)")
  }
}
