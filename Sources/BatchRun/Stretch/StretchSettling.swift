import Claims
import Glibc
import Postings

/// What stretches are settled and merged by: the same for all of a batch.
struct StretchSettling {
  let purpose: RunPurpose
  let options: RunOptions
  /// Makes the fingerprints of claimed keys.
  let hash: KeyedHash
  /// What earlier runs settled, where somebody tells; its hash is `hash`.
  var earlier: EarlierSettlements?

  /// Gives the record of so many bytes at an offset of the file's text, as `RecordScanner.scan` asks for it.
  typealias Record = (_ offset: Int, _ length: Int) throws(RunFailure) -> UnsafePointer<UInt8>

  /// Settles the lines that belong to a stretch of a file's text (`shards.md`, "Cutting").
  ///
  /// A line belongs to the stretch that holds the line feed before it, the first line of a file to the file's first
  /// stretch. So a stretch passes over its text up to its first line feed, and reads on behind its end.
  ///
  /// - Parameters:
  ///   - text: the file's text, at least from the stretch's beginning to the end of its last line.
  ///   - range: the stretch; it may be empty, or begin and end within a line.
  ///   - isFirst: whether it is the file's first stretch.
  func settle(
    _ text: UnsafeBufferPointer<UInt8>, range: Range<Int>, isFirst: Bool
  ) throws(RunFailure) -> StretchResult {
    precondition(range.upperBound <= text.count, "a stretch of a text lies within it")
    precondition(
      earlier.map { $0.hash.key0 == hash.key0 && $0.hash.key1 == hash.key1 } ?? true, "earlier keys have the same hash")
    let accounts = AccountTotals()
    let collector = StretchCollector(accounts: accounts, scratch: options.scratch)
    let lines = Self.lines(of: range, in: text, isFirst: isFirst)
    let commit = OrderedCommit(
      to: collector, fileNames: [[]], purpose: purpose, options: options, hash: hash, accounts: accounts,
      earlier: earlier, textBudget: StretchResult.noBudget,
      spanning: SpanningLines(
        line: isFirst ? 0 : 1, offset: lines.lowerBound - range.lowerBound, isFileStart: isFirst))
    let work = ChunkWork(plainLength: options.plainChunkLength, textBudget: StretchResult.noBudget, accounts: accounts)
    var settler = RecordSettler(purpose: purpose, options: options, hash: hash, earlier: earlier)
    for start in stride(from: lines.lowerBound, to: lines.upperBound, by: options.plainChunkLength) {
      let end = min(start + options.plainChunkLength, lines.upperBound)
      work.chunk.fill(UnsafeBufferPointer(rebasing: text[start..<end]), isLastOfFile: end == lines.upperBound)
      work.settleLines(&settler)
      try commit.begin(work)
      try commit.take(work)
      try commit.finish(work)
      work.part.clear()
    }
    if let failure = earlier?.failure { throw failure }
    return try commit.collect(
      collector, lineFeeds: text[range].count { $0 == UInt8(ascii: "\n") }, textBytes: range.count)
  }

  /// Where the lines that belong to a stretch stand in a text.
  private static func lines(of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> Range<Int> {
    let start = isFirst ? range.lowerBound : lineEnd(in: text, range)
    guard let start else { return range.upperBound..<range.upperBound }
    return start..<(lineEnd(in: text, range.upperBound..<text.count) ?? text.count)
  }

  /// The place behind the first line feed of a range of a text; nil where it has none.
  private static func lineEnd(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    guard let start = text.baseAddress, let found = memchr(start + range.lowerBound, 0x0A, range.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
  }

  /// The stretch of two that follow each other in a file. Merging is exact and associative.
  ///
  /// - Parameter record: gives a record by its offset from the first stretch's beginning; asked for those whose claim the
  ///   second stretch made and the first one has.
  func merge(
    _ first: StretchResult, _ second: StretchResult, record: Record
  ) throws(RunFailure) -> StretchResult {
    let accounts = AccountTotals()
    let collector = StretchCollector(accounts: accounts, scratch: options.scratch)
    let merge = StretchMerge(
      purpose: purpose, options: options, hash: hash, accounts: accounts, earlier: nil, to: collector)
    var place = StretchPlace(file: 0, line: 0, offset: 0)
    for stretch in [first, second] {
      try merge.append(stretch, at: place) { claim throws(RunFailure) in
        try record(place.offset + claim.line, claim.length)
      }
      place.line += stretch.lineFeeds
      place.offset += stretch.textBytes
    }
    return try collector.finish(merge, lineFeeds: place.line, textBytes: place.offset)
  }
}
