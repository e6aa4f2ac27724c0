import Failures
import FileSystem
import TestSupport
import Testing

@Suite("Sorting records outside memory, compared with a stable sort in memory")
struct ExternalSorterTests {
  /// By the bytes before the first slash.
  private static let order = RecordOrder { record in
    key(of: record).span.prefix
  } compare: { left, right in
    key(of: left).span.compare(key(of: right).span)
  }

  private static func key(of record: Span<UInt8>) -> [UInt8] {
    [UInt8](record).prefix { $0 != UInt8(ascii: "/") }.map(\.self)
  }

  /// Sorts texts, and counts the files that this needs.
  private func sorted(_ records: [String], runLength: Int) throws -> (sorted: [String], spools: Int) {
    let folder = try TemporaryFolder()
    var (sorted, spools): ([String], Int) = ([], 0)
    let sorter = ExternalSorter(Self.order, runLength: runLength, pieceMemory: 1) { () throws(Failure) in
      spools += 1
      return try SpoolFile(beside: folder.path("out"))
    }
    for (place, record) in records.enumerated() {
      if place % 2 == 0 {
        try sorter.append(Array(record.utf8).span)
      } else {
        try sorter.append { $0.append(record) }
      }
    }
    try sorter.forEach { record throws(Failure) in
      sorted.append(String(decoding: record))
    }
    return (sorted, spools)
  }

  @Test(
    "few keys, some longer than a prefix: records of a key stay in their order", arguments: [1, 300, 5000, 1 << 20])
  func stable(runLength: Int) throws {
    var random = SeededGenerator()
    let keys = ["", "a", "b", "a@example.example", "a@example.example.", "a@example.examplf", "\u{0}", "a\u{0}"]
    let records = (0..<2000).map { number in
      let key = keys.randomElement(using: &random) ?? ""
      return "\(key)/\(number)" + String(repeating: "x", count: number % 500 == 7 ? 40_000 : number % 90)
    }
    func key(_ record: String) -> [UInt8] { Array(record.utf8.prefix { $0 != UInt8(ascii: "/") }) }
    let expected = records.enumerated()
      .sorted { left, right in
        let (first, second) = (key(left.element), key(right.element))
        return first == second ? left.offset < right.offset : first.lexicographicallyPrecedes(second)
      }.map(\.element)
    let (found, spools) = try sorted(records, runLength: runLength)
    #expect(found == expected, "\(random.reproduction)")
    #expect(spools == (runLength == 1 << 20 ? 0 : 1))
  }

  @Test("no record, or one", arguments: [[], ["a/"]], [1, 100])
  func few(records: [String], runLength: Int) throws {
    #expect(try sorted(records, runLength: runLength).sorted == records)
  }
}
