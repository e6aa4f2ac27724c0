import Text
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
    let unsorted = unsafe gather(threads: threads)
    defer { unsafe unsorted.deallocate() }
    // Swift shares one buffer among all empty arrays, so it must not be written to.
    guard !unsorted.isEmpty else { return [] }
    return unsafe [AccountRow](unsafeUninitializedCapacity: unsorted.count) { rows, count in
      nonisolated(unsafe) let sorted = unsafe UnsafeMutableBufferPointer(rebasing: rows[..<unsorted.count])
      nonisolated(unsafe) let spare = unsafe unsorted
      let edges = unsafe partition(unsorted, into: sorted, groups: threads * 8)
      WorkerThreads.perform(edges.count - 1, threads: threads) { group in
        let range = edges[group]..<edges[group + 1]
        unsafe sort(
          UnsafeMutableBufferPointer(rebasing: sorted[range]),
          spare: UnsafeMutableBufferPointer(rebasing: spare[range]), depth: 0)
      }
      count = unsorted.count
    }
  }

  /// The rows of all accounts with payments, with the first words of their texts, shard by shard.
  private func gather(threads: Int) -> UnsafeMutableBufferPointer<AccountRow> {
    var starts = [0]
    for shard in shards { starts.append(starts[starts.count - 1] + shard.paidCount) }
    nonisolated(unsafe) let rows = UnsafeMutableBufferPointer<AccountRow>.allocate(capacity: starts[shards.count])
    WorkerThreads.perform(shards.count, threads: threads) { [starts] number in
      let shard = shards[number]
      var next = starts[number]
      for entry in 0..<shard.count where shard.hasPayments(entry) {
        unsafe rows.initializeElement(
          at: next, to: AccountRow(word: shard.word(0, of: entry), shard: UInt32(number), entry: UInt32(entry)))
        next += 1
      }
    }
    return unsafe rows
  }

  /// Sorts rows by the sixteen bits after the bits that all words have in common.
  ///
  /// - Returns: the edges of at most `groups` groups of similar size. Rows with the same sixteen bits are in one group.
  private func partition(
    _ rows: UnsafeMutableBufferPointer<AccountRow>, into sorted: UnsafeMutableBufferPointer<AccountRow>, groups: Int
  ) -> [Int] {
    var places = [Int](repeating: 0, count: 1 << 16)
    let agreeing = unsafe rows.reduce(UInt64(0)) { unsafe $0 | ($1.word ^ rows[0].word) }.leadingZeroBitCount
    for index in rows.indices { places[unsafe Int((rows[index].word << agreeing) >> 48)] += 1 }
    var edges = [0]
    var next = 0
    for beginning in places.indices where places[beginning] > 0 {
      if next - edges[edges.count - 1] > rows.count / groups { edges.append(next) }
      next += places[beginning]
      places[beginning] = next - places[beginning]
    }
    if next > 0 { edges.append(next) }
    for index in rows.indices {
      let row = unsafe rows[index]
      let beginning = Int((row.word << agreeing) >> 48)
      unsafe sorted.initializeElement(at: places[beginning], to: row)
      places[beginning] += 1
    }
    return edges
  }

  /// Sorts rows whose texts agree in their first `depth` words.
  private func sort(
    _ rows: UnsafeMutableBufferPointer<AccountRow>, spare: UnsafeMutableBufferPointer<AccountRow>, depth: Int
  ) {
    if rows.count <= Self.fewRows { return unsafe sortFew(rows) }
    // The first words are already set.
    if depth > 0 {
      for index in rows.indices {
        unsafe shards.fetchAhead(of: index, in: UnsafeBufferPointer(rows).span)
        unsafe rows[index].word = unsafe shards[Int(rows[index].shard)].word(depth, of: Int(rows[index].entry))
      }
    }
    unsafe sortByWord(rows, spare: spare)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, unsafe rows[end].word == rows[start].word { end += 1 }
      // Texts are padded with zeros. If the last byte is zero, the text has ended, and no two texts are equal.
      if end - start > 1, unsafe rows[start].word & 0xFF != 0 {
        unsafe sort(
          UnsafeMutableBufferPointer(rebasing: rows[start..<end]),
          spare: UnsafeMutableBufferPointer(rebasing: spare[start..<end]), depth: depth + 1)
      }
      start = end
    }
  }

  private func sortFew(_ rows: UnsafeMutableBufferPointer<AccountRow>) {
    var rows = unsafe rows
    unsafe rows.sort { left, right in
      shards[Int(left.shard)].text(Int(left.entry)).precedes(shards[Int(right.shard)].text(Int(right.entry)))
    }
  }

  /// Radix sort, from the lowest byte; a byte that is the same in all words costs one check.
  private func sortByWord(
    _ rows: UnsafeMutableBufferPointer<AccountRow>, spare: UnsafeMutableBufferPointer<AccountRow>
  ) {
    guard rows.count > 512 else {
      var rows = unsafe rows
      return unsafe rows.sort { $0.word < $1.word }
    }
    var from = unsafe rows
    var to = unsafe spare
    var places = [Int](repeating: 0, count: 256)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      for byte in places.indices { places[byte] = 0 }
      for index in from.indices { places[unsafe Int(from[index].word >> shift & 0xFF)] += 1 }
      if places.contains(rows.count) { continue }
      var next = 0
      for byte in places.indices {
        next += places[byte]
        places[byte] = next - places[byte]
      }
      for index in from.indices {
        let row = unsafe from[index]
        let byte = Int(row.word >> shift & 0xFF)
        unsafe to[places[byte]] = row
        places[byte] += 1
      }
      unsafe swap(&from, &to)
    }
    if unsafe from.baseAddress != rows.baseAddress {
      _ = unsafe UnsafeMutableBufferPointer(rebasing: rows[...]).update(from: from)
    }
  }
}
