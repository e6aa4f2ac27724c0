import CByteScan
import ExactArithmetic
import Glibc
import Synchronization
import Text

/// One shard of the account totals: an open-addressing table of entry numbers, the entries, and their concatenated
/// keys.
///
/// A slot is 0, or the number of an entry, from 1, in the bits of `mask`. Its other bits are a tag, a part of the
/// entry's hash, so that a search does not touch the entries of other texts.
///
/// (Unsafe: there is memory for `mask` + 1 slots and `entryCapacity` entries, and an entry has the place of its key in
/// `texts`.)
@safe
final class AccountShard: @unchecked Sendable {  // Posting holds the lock; reading begins when it has ended.
  fileprivate struct Entry {
    var textOffset: UInt32
    var textLength: UInt16
    var exponent: Int8
    /// Whether the sums are in `large`, at the index in `gross`.
    var isLarge: Bool
    var hash: UInt64
    var payments: Int
    var gross: Int
    var passedOn: Int
    var fee: Int

    /// The sums, if they are in this entry.
    var sums: AccountSums {
      let exponent = Int(exponent)
      return AccountSums(
        payments: payments, gross: ExactDecimal(gross, exponent: exponent),
        passedOn: ExactDecimal(passedOn, exponent: exponent), fee: ExactDecimal(fee, exponent: exponent))
    }
  }

  private let lock = Mutex(())
  private var slots: UnsafeMutablePointer<UInt32>
  private var mask = 255
  private var entries: UnsafeMutablePointer<Entry>
  private var entryCapacity = 64
  private(set) var entryCount = 0
  @exclusivity(unchecked) private var texts = TextBuffer(capacity: 4096)
  /// Sums of any size, at the indices that entries give.
  fileprivate var large: [AccountSums] = []

  init() {
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: 0, count: mask + 1)
    unsafe entries = unsafe Self.memory(entryCapacity)
  }

  deinit {
    unsafe slots.deallocate()
    unsafe free(entries)
  }

  // MARK: Posting

  func post(_ items: Span<PostingQueue.Item>, keys: Span<UInt8>) {
    lock.withLock { _ in
      for index in -Self.ahead.slots..<items.count {
        fetchAhead(items, index)
        guard index >= 0 else { continue }
        let item = items[index]
        // Find the number first: that may move the entries.
        let number = find(keys.extracting(item.offset..<item.offset + item.length), hash: item.hash)
        let entry = unsafe entries + number
        unsafe entry.pointee.payments += 1
        let (gross, grossOverflow) = unsafe entry.pointee.gross.addingReportingOverflow(item.gross)
        let (passedOn, passedOverflow) = unsafe entry.pointee.passedOn.addingReportingOverflow(item.passedOn)
        let (fee, feeOverflow) = unsafe entry.pointee.fee.addingReportingOverflow(item.fee)
        if unsafe entry.pointee.isLarge || grossOverflow || passedOverflow || feeOverflow {
          let exponent = unsafe Int(entry.pointee.exponent)
          unsafe addLarge(
            entry,
            AccountSums(
              payments: 1, gross: ExactDecimal(item.gross, exponent: exponent),
              passedOn: ExactDecimal(item.passedOn, exponent: exponent),
              fee: ExactDecimal(item.fee, exponent: exponent)))
        } else {
          unsafe entry.pointee.gross = gross
          unsafe entry.pointee.passedOn = passedOn
          unsafe entry.pointee.fee = fee
        }
      }
    }
  }

  /// Adds sums of any size, or negative sums, which remove earlier ones.
  func post(_ sums: AccountSums, key: Span<UInt8>, hash: UInt64) {
    lock.withLock { _ in
      let number = find(key, hash: hash)
      let entry = unsafe entries + number
      unsafe entry.pointee.payments += sums.payments
      unsafe addLarge(entry, sums)
    }
  }

  /// How many postings ahead their slots, then their entries, then their texts are prefetched.
  private static let ahead = (slots: 24, entries: 16, texts: 8)

  /// Prefetches what later postings will touch. Begins before the first posting.
  @inline(__always)
  private func fetchAhead(_ items: Span<PostingQueue.Item>, _ index: Int) {
    if index + Self.ahead.slots < items.count {
      unsafe settle_prefetch(slots + slot(of: items[index + Self.ahead.slots].hash))
    }
    if items.indices ~= index + Self.ahead.entries {
      if let number = candidate(items[index + Self.ahead.entries].hash) {
        // Half of the entries are in two lines of the cache.
        unsafe settle_prefetch(entries + number)
        unsafe settle_prefetch(UnsafeRawPointer(entries + (number + 1)) - 1)
      }
    }
    if items.indices ~= index + Self.ahead.texts {
      if let number = candidate(items[index + Self.ahead.texts].hash) {
        let text = unsafe texts.start + Int(entries[number].textOffset)
        unsafe settle_prefetch(text)
        // Most texts are in one line of the cache or two.
        unsafe settle_prefetch(text + items[index + Self.ahead.texts].length)
      }
    }
  }

  /// Where the search for a text begins.
  @inline(__always)
  private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// The bits of a slot that are not those of a number.
  @inline(__always)
  private func tag(of hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~UInt32(truncatingIfNeeded: mask)
  }

  /// The number of the first entry with a hash like this one; most often there is no other.
  @inline(__always)
  private func candidate(_ hash: UInt64) -> Int? {
    let tag = tag(of: hash)
    var slot = slot(of: hash)
    while true {
      let found = unsafe slots[slot]
      if found == 0 { return nil }
      if found & ~UInt32(truncatingIfNeeded: mask) == tag { return number(in: found) }
      slot = (slot + 1) & mask
    }
  }

  /// The number of the entry in a slot that is not 0, from 0.
  @inline(__always)
  private func number(in slot: UInt32) -> Int { Int(slot & UInt32(truncatingIfNeeded: mask)) - 1 }

  private func addLarge(_ entry: UnsafeMutablePointer<Entry>, _ sums: AccountSums) {
    if unsafe !entry.pointee.isLarge {
      unsafe large.append(entry.pointee.sums)
      unsafe entry.pointee.gross = large.count - 1
      unsafe entry.pointee.isLarge = true
    }
    unsafe large[entry.pointee.gross].add(sums)
  }

  // MARK: The table

  /// The number of a text's entry; makes a new entry if there is none.
  @inline(__always)
  private func find(_ text: Span<UInt8>, hash: UInt64) -> Int {
    let tag = tag(of: hash)
    var slot = slot(of: hash)
    while unsafe slots[slot] != 0 {
      let found = unsafe slots[slot]
      if found & ~UInt32(truncatingIfNeeded: mask) == tag {
        let number = number(in: found)
        let entry = unsafe entries + number
        if unsafe entry.pointee.hash == hash, unsafe Int(entry.pointee.textLength) == text.count {
          let start = unsafe Int(entry.pointee.textOffset)
          if unsafe texts.span.extracting(start..<start + text.count).isEqual(to: text) { return number }
        }
      }
      slot = (slot + 1) & mask
    }
    return add(text, hash: hash, slot: slot)
  }

  @inline(never)
  private func add(_ text: Span<UInt8>, hash: UInt64, slot: Int) -> Int {
    let count = text.count
    unsafe precondition(
      texts.count + count <= UInt32.max && entryCount < UInt32.max - 1, "too many accounts for one run")
    if entryCount == entryCapacity {
      entryCapacity *= 2
      unsafe entries = unsafe Self.memory(entryCapacity, replacing: entries)
    }
    let currency = AccountKey.currency(text)
    unsafe entries[entryCount] = unsafe Entry(
      textOffset: UInt32(texts.count), textLength: UInt16(count), exponent: Int8(-currency.settlementExponent),
      isLarge: false, hash: hash, payments: 0, gross: 0, passedOn: 0, fee: 0)
    unsafe texts.append(text)
    entryCount += 1
    unsafe slots[slot] = tag(of: hash) | UInt32(entryCount)
    // So a number is never above the mask.
    if entryCount * 4 > (mask + 1) * 3 { grow() }
    return entryCount - 1
  }

  private func grow() {
    unsafe slots.deallocate()
    mask = mask * 2 + 1
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: 0, count: mask + 1)
    for number in 0..<entryCount {
      let hash = unsafe entries[number].hash
      var slot = slot(of: hash)
      while unsafe slots[slot] != 0 { slot = (slot + 1) & mask }
      unsafe slots[slot] = tag(of: hash) | UInt32(number + 1)
    }
  }

  // For a large block, realloc moves pages instead of bytes.
  private static func memory<Element: BitwiseCopyable>(
    _ capacity: Int, replacing old: UnsafeMutablePointer<Element>? = nil
  ) -> UnsafeMutablePointer<Element> {
    guard let memory = unsafe realloc(old, capacity * MemoryLayout<Element>.stride) else {
      preconditionFailure("out of memory for the account totals")
    }
    return unsafe memory.assumingMemoryBound(to: Element.self)
  }

  // MARK: Reading, once all is posted

  /// The number of entries with a payment: all except those whose payments were all removed.
  var paidCount: Int { entriesInPlace.paidCount }

  /// The entries in place: valid while the shard exists and nothing is posted.
  var entriesInPlace: ShardEntries {
    unsafe ShardEntries(
      entries: entries, count: entryCount, texts: texts.start, shard: Unmanaged.passUnretained(self))
  }
}

/// The entries of a shard when nothing is posted any more. Threads that read them in parallel do no reference counting,
/// which would cost more than the reading.
///
/// (Unsafe: the shard outlives it, as part of the `AccountTotals` that is being read.)
@safe
struct ShardEntries: @unchecked Sendable {  // Nothing changes them any more.
  fileprivate let entries: UnsafePointer<AccountShard.Entry>
  let count: Int
  fileprivate let texts: UnsafePointer<UInt8>
  fileprivate let shard: Unmanaged<AccountShard>

  var paidCount: Int { (0..<count).count(where: hasPayments) }

  func hasPayments(_ entry: Int) -> Bool { unsafe entries[entry].payments > 0 }

  /// Prefetches an entry that will be read soon.
  func fetch(_ entry: Int) { unsafe settle_prefetch(entries + entry) }

  /// Prefetches the text of an entry that will be read soon.
  func fetchText(of entry: Int) { unsafe settle_prefetch(texts + Int(entries[entry].textOffset)) }

  /// An entry's key.
  @_lifetime(borrow self)
  func text(_ entry: Int) -> Span<UInt8> {
    let text = unsafe Span(_unsafeStart: texts + Int(entries[entry].textOffset), count: Int(entries[entry].textLength))
    return unsafe _overrideLifetime(text, borrowing: self)
  }

  /// Eight bytes of an entry's text as a number that sorts in the same order; missing bytes at the end are zero.
  func word(_ number: Int, of entry: Int) -> UInt64 { text(entry).word(at: 8 * number) }

  /// An entry's key and sums.
  @_lifetime(borrow self)
  func balance(_ entry: Int) -> AccountBalance {
    let key = text(entry)
    return AccountBalance(
      side: AccountSide(rawValue: key[0])!,
      account: AccountKey.account(key), currency: AccountKey.currency(key), sums: sums(entry))
  }

  private func sums(_ entry: Int) -> AccountSums {
    guard unsafe entries[entry].isLarge else { return unsafe entries[entry].sums }
    var sums = unsafe shard.takeUnretainedValue().large[entries[entry].gross]
    sums.payments = unsafe entries[entry].payments
    return sums
  }
}

extension [ShardEntries] {
  /// Prefetches what later rows will touch, because accounts are stored in the order in which they were first seen:
  /// their entries, then their texts.
  @inline(__always)
  func fetchAhead(of index: Int, in rows: Span<AccountRow>) {
    if index + 16 < rows.count { self[Int(rows[index + 16].shard)].fetch(Int(rows[index + 16].entry)) }
    if index + 8 < rows.count { self[Int(rows[index + 8].shard)].fetchText(of: Int(rows[index + 8].entry)) }
  }
}
