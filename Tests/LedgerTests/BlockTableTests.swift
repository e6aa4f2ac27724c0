import TestSupport
import Testing
import Text

@testable import Ledger

@Suite("Blocks of a ledger")
struct BlockTableTests {
  private static func content(_ row: [UInt8], id: Int64) -> [UInt8]? {
    guard let content = BlockTable.content(of: row.span, id: id) else { return nil }
    return [UInt8](content)
  }

  @Test("an id says to what a block belongs")
  func ids() {
    #expect(BlockTable.keys.id(3, 5) == 3 << 40 | 5)
    #expect(BlockTable.details.ids(of: 3).lowerBound == 3 << 40)
    #expect(BlockTable.details.ids(of: 3).upperBound == 3 << 40 | 0xFF_FFFF_FFFF)
    #expect(BlockTable.accounts.ids(of: 3).lowerBound == 3 << 32)
    #expect(BlockTable.accounts.ids(of: 3).upperBound == 3 << 32 | 0xFFFF_FFFF)
    #expect(BlockTable.accounts.owner(of: 3 << 32 | 5) == 3)
    let list = AccountList(kind: .closings, number: 7)
    #expect(list.id(9) == 4 << 56 | 7 << 32 | 9 && AccountList.place(of: list.id(9))! == (list, 9))
  }

  @Test("a checksum is the XXH3 of the content, seeded with the id")
  func seals() {
    var text = TextBuffer()
    text.append("settle")
    BlockTable.seal(&text, id: 7)
    let row = [UInt8](text.span)
    #expect(Self.content(row, id: 7) == Array("settle".utf8))
    #expect(Self.content(row, id: 8) == nil)
    for place in row.indices {
      var changed = row
      changed[place] ^= 1
      #expect(Self.content(changed, id: 7) == nil)
    }
    #expect(Self.content([], id: 7) == nil && Self.content(Array(row.suffix(8)), id: 7) == nil)
  }

  @Test("a packed text is read with its own length only", arguments: [1, 100, 70_000])
  func packs(length: Int) {
    var random = SeededGenerator()
    let text = (0..<length).map { _ in UInt8.random(in: 0..<8, using: &random) }
    var row = TextBuffer()
    row.append([1, 2, 3])
    PackedText.append(text.span, to: &row)
    let stored = [UInt8](row.span)
    #expect(stored.prefix(3) == [1, 2, 3])
    var read: [UInt8] = [9]
    func isRead(_ length: UInt32) -> Bool {
      PackedText.read(stored.span.extracting(droppingFirst: 3), length: length, into: &read)
    }
    #expect(isRead(UInt32(length)))
    #expect(read == text, "\(random.reproduction)")
    for other in [0, UInt32(length) - 1, UInt32(length) + 1, .max] where other != length { #expect(!isRead(other)) }
  }

  @Test("the limit of a text follows from the block before, between its bounds")
  func limits() {
    var limit = TextLimit(6000, rowLength: 4700, in: 1024...16_384)
    #expect(limit.bytes == 6000)
    limit.adapt(text: 6000, row: 4000)
    #expect(limit.bytes == 7050)
    limit.adapt(text: 6000, row: 100)
    #expect(limit.bytes == 16_384)
    limit.adapt(text: 100, row: 4700)
    #expect(limit.bytes == 1024)
  }
}
