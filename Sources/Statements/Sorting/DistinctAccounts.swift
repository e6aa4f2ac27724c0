import BatchRun

/// Counts different accounts without keeping them: by their hashes, of which two may be the same. So there are never fewer
/// accounts than it says.
///
/// Memory: 16 to 32 bytes an account, 16 MiB at most.
struct DistinctAccounts: ~Copyable {
  /// It counts up to this many.
  static let most = 1 << 20

  private let hash = KeyedHash()
  private var capacity = 1 << 12
  /// Hashes, each at the first free place from the one its low bits tell; 0 where there is none. Half of it stays free.
  private var table: UnsafeMutablePointer<UInt64>
  /// The different accounts met.
  private(set) var count = 0

  init() {
    table = .allocate(capacity: capacity)
    table.initialize(repeating: 0, count: capacity)
  }

  deinit { table.deallocate() }

  /// Counts an account that was not met before.
  mutating func meet(_ account: UnsafeBufferPointer<UInt8>) {
    guard count < Self.most, let bytes = account.baseAddress else { return }
    guard insert(hash.shortHash(bytes, count: account.count) | 1 << 63) else { return }
    count += 1
    if 2 * count >= capacity, count < Self.most { grow() }
  }

  /// Enters a hash; false where it is there.
  private mutating func insert(_ hash: UInt64) -> Bool {
    var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
    while table[place] != 0 {
      if table[place] == hash { return false }
      place = (place + 1) & (capacity - 1)
    }
    table[place] = hash
    return true
  }

  private mutating func grow() {
    let old = UnsafeMutableBufferPointer(start: table, count: capacity)
    capacity *= 2
    table = .allocate(capacity: capacity)
    table.initialize(repeating: 0, count: capacity)
    for hash in old where hash != 0 { _ = insert(hash) }
    old.deallocate()
  }
}
