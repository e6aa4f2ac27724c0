import Claims
import TestSupport
import Testing

@testable import BatchRun

@Suite("Serialized stretches that are damaged, or not one's own")
struct SerializedStretchTests {
  private let hash: KeyedHash
  private let bytes: [UInt8]

  init() throws {
    let text =
      Array(#"{"type":"header","batchId":"B"}"#.utf8) + [0x0A] + MixedBatch.bytes(records: 40, seed: 1)
      + Array((Line.payment("L", "1e30") + "\n" + Line.payment("L", "1e30")).utf8)
    let batch = CutBatch(texts: [text])
    hash = batch.told.hash
    let stretch = try #require(try batch.stretches(of: 0, cuts: []).first)
    bytes = stretch.serialized(hash: hash)
    #expect(!stretch.claims.isEmpty && !stretch.rows.isEmpty && stretch.envelope.count == 1)
    #expect(stretch.claims.contains { $0.isRefused })
  }

  private func read(_ bytes: [UInt8], hash: KeyedHash? = nil) -> Result<StretchResult, RunFailure> {
    Result { () throws(RunFailure) in
      try StretchResult(serialized: bytes, name: "N", hash: hash ?? self.hash)
    }
  }

  private func exitCode(_ result: Result<StretchResult, RunFailure>) -> Int32? {
    if case .failure(let failure) = result { failure.exitCode } else { nil }
  }

  /// The same bytes under a digest that agrees with them.
  private func signed(_ bytes: [UInt8]) -> [UInt8] {
    let content = bytes.dropLast(8)
    return content + withUnsafeBytes(of: ByteReader.digest(content).littleEndian) { Array($0) }
  }

  @Test func whatIsWrittenIsRead() throws {
    #expect(try read(bytes).get().serialized(hash: hash) == bytes)
    #expect(signed(bytes) == bytes)
  }

  @Test func anyFlippedBitAndAnyCutIsMet() {
    var random = SeededGenerator()
    for _ in 0..<400 {
      var damaged = bytes
      damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      #expect(exitCode(read(damaged)) == 74, "\(random.reproduction)")
      let cut = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      #expect(exitCode(read(cut)) == 74, "\(random.reproduction)")
    }
  }

  @Test("damage under a digest that agrees is refused, or gives a stretch that can be merged")
  func forged() throws {
    var random = SeededGenerator()
    let batch = CutBatch(texts: [[]])
    var refused = 0
    for _ in 0..<400 {
      var forged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        forged[Int.random(in: 0..<forged.count - 8, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      if Bool.random(using: &random) { forged.remove(at: Int.random(in: 0..<forged.count - 8, using: &random)) }
      switch read(signed(forged)) {
      case .failure(let failure):
        refused += 1
        #expect(failure.exitCode == 74 || failure.exitCode == 78, "\(random.reproduction)")
      case .success(let stretch):
        _ = try batch.settling.merge(stretch, StretchResult(accounts: stretch.accounts)) { _, _ in
          preconditionFailure("an empty stretch claims nothing")
        }
      }
    }
    #expect(refused > 100, "\(random.reproduction)")
  }

  @Test func anotherVersionAndAnotherHashAreRefused() throws {
    var other = bytes
    let version = 1 + "settle-stretch".utf8.count
    #expect(other[version] == 3)
    other[version] = 2
    #expect(exitCode(read(signed(other))) == 78)
    other = bytes
    other[version + 2] ^= 1
    #expect(exitCode(read(signed(other))) == 78, "another engine")
    #expect(exitCode(read(bytes, hash: KeyedHash())) == 78)
    #expect(exitCode(read(signed(Array("nothing of ours".utf8)))) == 74)
  }
}
