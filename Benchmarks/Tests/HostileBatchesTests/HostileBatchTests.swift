import Foundation
import HostileBatches
import Input
import TestSupport
import Testing
import Text

/// Each batch is what its name says.
@Suite struct HostileBatchTests {
  /// A batch's lines, expanded by the engine's reader.
  private func lines(_ batch: HostileBatch, bytes: Int) throws -> (lines: [[UInt8]], written: HostileBatch.Written) {
    let folder = try TemporaryFolder()
    var stored: [UInt8] = []
    let written = try batch.write(bytes: bytes) { stored.append($0) }
    let file = try StoredBatchFile(path: try folder.write(stored, to: "batch.lz4"))
    let (chunk, verifier) = (TextChunk(), ContentVerifier())
    var text: [UInt8] = []
    while try file.readNext(into: chunk) {
      chunk.expand()
      #expect(verifier.verify(chunk) == nil)
      text.append(chunk.span)
    }
    #expect(written.bytes == text.count)
    #expect(written.storedBytes == stored.count)
    return (text.split(separator: 0x0A).map(Array.init), written)
  }

  @Test(arguments: HostileBatch.allCases)
  func hasTheSizeAskedForInWholeRecords(_ batch: HostileBatch) throws {
    let (lines, written) = try lines(batch, bytes: 3_000_000)
    // One error of each kind, and one of those is a record that is too long.
    #expect((3_000_000..<5_300_000).contains(written.bytes))
    if batch != .emptyLines, batch != .oneErrorEach { #expect(lines.count == written.records) }
  }

  @Test(arguments: HostileBatch.allCases)
  func isTheSameEachTime(_ batch: HostileBatch) throws {
    func stored() throws -> [UInt8] {
      var stored: [UInt8] = []
      _ = try batch.write(bytes: 100_000) { stored.append($0) }
      return stored
    }
    #expect(try stored() == stored())
  }

  @Test(arguments: HostileBatch.allCases.filter { $0.rawValue.hasPrefix("longest") || $0 == .emptyReceivers })
  func longestLinesReachTheLimit(_ batch: HostileBatch) throws {
    for line in try lines(batch, bytes: 2_500_000).lines { #expect(line.count == 1 << 20) }
  }

  @Test(arguments: [HostileBatch.emptyLines, .repeatedPayments])
  func someAreCompressedAsMuchAsLZ4Can(_ batch: HostileBatch) throws {
    let written = try lines(batch, bytes: 12_000_000).written
    #expect(written.bytes / written.storedBytes >= 240)
  }

  @Test(arguments: [(HostileBatch.millionAccounts, 6), (.oneAccount, 0), (.floodedKeys, 1)])
  func accountsAreAsManyAsTheNameSays(_ batch: HostileBatch, accountsOfARecord: Int) throws {
    let (lines, written) = try lines(batch, bytes: 200_000)
    var accounts: Set<String> = []
    for line in lines {
      let text = String(decoding: line, as: UTF8.self)
      for match in text.matches(of: /"recipient":"([^"]*)"/) { accounts.insert(String(match.1)) }
    }
    #expect(accounts.count == max(1, written.records * accountsOfARecord))
  }

  @Test func aMillionAccountsFitIntoWhatIsAskedFor() throws {
    var records = 0
    let bytes = 13_000_000
    records = try lines(.millionAccounts, bytes: bytes).written.records
    #expect(records * 6 * 10 > 1_000_000)
  }
}
