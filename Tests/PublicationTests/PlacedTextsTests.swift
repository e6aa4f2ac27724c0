import Digests
import Dispatch
import Failures
import FileSystem
import Glibc
import Synchronization
import Testing
import TestSupport
import Text
import Threads

@testable import BatchRun
@testable import Publication

@Suite("Texts that are written at their places, and digested in their order")
struct PlacedTextsTests {
  private final class Written: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let failsAt: Int?
    init(failsAt: Int? = nil) { self.failsAt = failsAt }

    func write(_ text: Span<UInt8>, _ offset: Int) throws(Failure) {
      let (text, count) = ([UInt8](text), text.count)
      if let failsAt, offset + count > failsAt { throw .inputOutput("the disk is full") }
      bytes.withLock { bytes in
        if bytes.count < offset + count { bytes += [UInt8](repeating: 0, count: offset + count - bytes.count) }
        for place in 0..<count { bytes[offset + place] = text[place] }
      }
    }
  }

  /// Writes texts of any lengths, copied or not, while other threads do errands; returns them joined.
  private func give(
    _ texts: PlacedTexts, _ errands: Errands, threads: Int, _ random: inout SeededGenerator
  ) throws(Failure) -> [UInt8] {
    let isEnding = Atomic(false)
    let others = DispatchGroup()
    WorkerThreads.start(threads - 1, named: "writers", in: others) { _ in
      while !isEnding.load(ordering: .relaxed) { if !errands.doOne() { usleep(20) } }
    }
    defer {
      isEnding.store(true, ordering: .relaxed)
      others.wait()
    }
    var all: [UInt8] = []
    var number = 0
    // Enough texts to reach every place at which a write fails.
    while number < 60 || all.count <= 900_000 {
      number += 1
      let count = Int.random(in: 0...300_000, using: &random) >> Int.random(in: 0...10, using: &random)
      let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ all.count) }
      all += text
      if Bool.random(using: &random) {
        try texts.append(text.span)
      } else {
        var buffer = TextBuffer()
        buffer.append(text)
        try texts.append(&buffer)
      }
    }
    try texts.finish()
    return all
  }

  @Test("the file has all of them in order, and so has the digest", arguments: [1, 2, 7])
  func inOrder(threads: Int) throws {
    var random = SeededGenerator()
    let (written, errands) = (Written(), Errands(most: threads > 1 ? threads : 0))
    let digest = DigestLane("digest", isApart: errands.areShared)
    let texts = PlacedTexts(errands, digest: digest) { (text, offset) throws(Failure) in
      try written.write(text, offset)
    }
    let all = try give(texts, errands, threads: threads, &random)
    #expect(written.bytes.withLock { $0 } == all, "\(random.reproduction)")
    #expect(texts.count == all.count)
    #expect(digest.finish() == SHA256.digest(of: all).hexadecimal, "\(random.reproduction)")
  }

  @Test("a failed write is reported, at the latest at the end", arguments: [1, 2, 7], [0, 70_000, 900_000])
  func fails(threads: Int, failsAt: Int) throws {
    var random = SeededGenerator()
    let (written, errands) = (Written(failsAt: failsAt), Errands(most: threads > 1 ? threads : 0))
    let texts = PlacedTexts(errands, digest: DigestLane("digest", isApart: errands.areShared)) {
      (text, offset) throws(Failure) in try written.write(text, offset)
    }
    var failure: Failure?
    do throws(Failure) { _ = try give(texts, errands, threads: threads, &random) } catch { failure = error }
    guard failure == .inputOutput("the disk is full") else {
      Issue.record("\(String(describing: failure)), \(random.reproduction)")
      return
    }
  }
}
