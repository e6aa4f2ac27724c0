import FuzzTargets
import TestSupport
import Testing

@Suite("The fuzzer's corpus, and every input that once was a finding")
struct CorpusReplayTests {
  @Test("as it is", arguments: FuzzTarget.allCases)
  func replays(target: FuzzTarget) throws {
    let inputs = try Corpus.inputs(of: target)
    // A folder that is missing must not pass as one without findings.
    #expect(inputs.count >= 20)
    for (name, bytes) in inputs { #expect(target.complaint(about: bytes) == nil, "\(target.rawValue)/\(name)") }
  }

  @Test("with a few bytes changed", arguments: FuzzTarget.allCases)
  func changed(target: FuzzTarget) throws {
    var random = SeededGenerator()
    for (name, bytes) in try Corpus.inputs(of: target) where bytes.count <= 1000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) { changed.change(using: &random) }
      if target == .frames {
        var frames = changed.mutableSpan
        FrameRepair.repair(&frames)
      }
      let complaint = target.complaint(about: changed)
      #expect(complaint == nil, "\(target.rawValue)/\(name) as \(changed); \(random.reproduction)")
    }
  }

  @Test("is kept small")
  func size() throws {
    let inputs = try FuzzTarget.allCases.flatMap { try Corpus.inputs(of: $0) }
    #expect(inputs.reduce(0) { $0 + $1.bytes.count } < 300_000)
    #expect(inputs.allSatisfy { $0.bytes.count <= 4096 })
  }
}

extension [UInt8] {
  /// Changes, inserts or removes one byte.
  fileprivate mutating func change(using random: inout SeededGenerator) {
    let place = Int.random(in: 0...count, using: &random)
    let byte = UInt8.random(in: 0...255, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0 where place < count: self[place] = byte
    case 1 where place < count: remove(at: place)
    default: insert(byte, at: place)
    }
  }
}
