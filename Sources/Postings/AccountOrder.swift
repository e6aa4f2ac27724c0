import Threads

/// An account's sums during sorting.
struct AccountRow {
  /// Eight bytes of the key, as a number that sorts in the same order.
  var word: UInt64
  var shard: UInt32
  var entry: UInt32
}

/// Sorts accounts by their bytes, eight bytes at a time: a million texts are never compared one by one, however long
/// their common beginning is.
struct AccountOrder {
  private let shards: [ShardEntries]
  private static let fewRows = 32

  init(_ shards: [ShardEntries]) { self.shards = shards }

  /// The sorted rows of all accounts with payments; sorted by `threads` threads.
  func rows(threads: Int) -> [AccountRow] {
    let (sorted, edges) = Self.partition(gather(threads: threads), groups: threads * 8)
    var rows: [AccountRow] = []
    rows.reserveCapacity(sorted.count)
    WorkerThreads.inOrder(edges.count - 1, threads: threads) { group in
      var rows = Array(sorted[edges[group]..<edges[group + 1]])
      var spare = rows
      var all = rows.mutableSpan
      var room = spare.mutableSpan
      sort(&all, spare: &room, depth: 0)
      return rows
    } take: {
      rows += $0
    }
    return rows
  }

  /// The rows of all accounts with payments, with the first words of their texts, shard by shard.
  private func gather(threads: Int) -> [AccountRow] {
    var rows: [AccountRow] = []
    rows.reserveCapacity(shards.reduce(0) { $0 + $1.paidCount })
    WorkerThreads.inOrder(shards.count, threads: threads) { number in
      let shard = shards[number]
      return (0..<shard.count).filter(shard.hasPayments).map {
        AccountRow(word: shard.word(0, of: $0), shard: UInt32(number), entry: UInt32($0))
      }
    } take: {
      rows += $0
    }
    return rows
  }

  /// Sorts rows by the sixteen bits after the bits that all words have in common.
  ///
  /// - Returns: the rows, and the edges of at most `groups` groups of similar size. Rows with the same sixteen bits are in
  ///   one group.
  private static func partition(_ rows: [AccountRow], groups: Int) -> (sorted: [AccountRow], edges: [Int]) {
    var places = [Int](repeating: 0, count: 1 << 16)
    let agreeing = rows.reduce(UInt64(0)) { $0 | ($1.word ^ rows[0].word) }.leadingZeroBitCount
    for row in rows { places[Int((row.word << agreeing) >> 48)] += 1 }
    var edges = [0]
    var next = 0
    for beginning in places.indices where places[beginning] > 0 {
      if next - edges[edges.count - 1] > rows.count / groups { edges.append(next) }
      next += places[beginning]
      places[beginning] = next - places[beginning]
    }
    if next > 0 { edges.append(next) }
    var sorted = rows
    for row in rows {
      let beginning = Int((row.word << agreeing) >> 48)
      sorted[places[beginning]] = row
      places[beginning] += 1
    }
    return (sorted, edges)
  }

  /// Sorts rows whose texts agree in their first `depth` words.
  private func sort(_ rows: inout MutableSpan<AccountRow>, spare: inout MutableSpan<AccountRow>, depth: Int) {
    if rows.count <= Self.fewRows {
      return Self.sortFew(&rows) { left, right in
        shards[Int(left.shard)].text(Int(left.entry)).precedes(shards[Int(right.shard)].text(Int(right.entry)))
      }
    }
    // The first words are already set.
    if depth > 0 {
      for index in rows.indices {
        shards.fetchAhead(of: index, in: rows.span)
        rows[index].word = shards[Int(rows[index].shard)].word(depth, of: Int(rows[index].entry))
      }
    }
    Self.sortByWord(&rows, spare: &spare)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].word == rows[start].word { end += 1 }
      // Texts are padded with zeros. If the last byte is zero, the text has ended, and no two texts are equal.
      if end - start > 1, rows[start].word & 0xFF != 0 {
        var part = rows.part(start..<end)
        var room = spare.part(start..<end)
        sort(&part, spare: &room, depth: depth + 1)
      }
      start = end
    }
  }

  private static func sortFew(
    _ rows: inout MutableSpan<AccountRow>, by precedes: (AccountRow, AccountRow) -> Bool
  ) {
    var copy: [AccountRow] = []
    copy.reserveCapacity(rows.count)
    for index in rows.indices { copy.append(rows[index]) }
    copy.sort(by: precedes)
    for index in rows.indices { rows[index] = copy[index] }
  }

  /// Radix sort, from the lowest byte; a byte that is the same in all words costs one check.
  private static func sortByWord(_ rows: inout MutableSpan<AccountRow>, spare: inout MutableSpan<AccountRow>) {
    guard rows.count > 512 else { return sortFew(&rows) { $0.word < $1.word } }
    var places = [Int](repeating: 0, count: 256)
    var isInSpare = false
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      let hasMoved =
        isInSpare
        ? sort(spare.span, by: shift, into: &rows, &places) : sort(rows.span, by: shift, into: &spare, &places)
      if hasMoved { isInSpare.toggle() }
    }
    if isInSpare {
      for index in rows.indices { rows[index] = spare[index] }
    }
  }

  /// Sorts by one byte of the words; false, without moving the rows, if it is the same in all.
  private static func sort(
    _ from: Span<AccountRow>, by shift: UInt64, into to: inout MutableSpan<AccountRow>, _ places: inout [Int]
  ) -> Bool {
    for byte in places.indices { places[byte] = 0 }
    for index in from.indices { places[Int(from[index].word >> shift & 0xFF)] += 1 }
    if places.contains(from.count) { return false }
    var next = 0
    for byte in places.indices {
      next += places[byte]
      places[byte] = next - places[byte]
    }
    for index in from.indices {
      let byte = Int(from[index].word >> shift & 0xFF)
      to[places[byte]] = from[index]
      places[byte] += 1
    }
    return true
  }
}
