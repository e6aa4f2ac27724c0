import Claims
import Failures
import FileSystem
import Ledger
import Records
import Threads

/// What nights left pending, held or rejected, and no night has settled since (`accounts.md`).
///
/// Memory: some 50 bytes for each record with a key, the ledger's filters, and the text of a few nights.
package struct WaitingRecords {
  /// A night whose reports are read.
  package struct Night: Sendable {
    package let run: RunEntry
    package let day: CalendarDay
  }

  /// The nights, in order.
  package let nights: [Night]
  /// The chosen runs whose directories are gone or at a URI.
  package let unread: [RunEntry]
  /// The records without a key, and their rows.
  package private(set) var withoutKey = (records: 0, rows: 0)

  private let ledger: LedgerReading
  private let showsWithoutKey: Bool
  private let threads: Int
  /// The last run whose settled keys count.
  private let lastRun: Int
  /// The last night, by its place, in which each key was left waiting. Keys that were settled since are left out.
  private var last: [Fingerprint: Int32] = [:]

  private static let filterMemory = 24 << 20

  /// What a night left waiting.
  private struct Found: Sendable {
    var payments: [Fingerprint] = []
    var refunds: [Fingerprint] = []
    var agreements: [Fingerprint: String] = [:]
    var withoutKey = (records: 0, rows: 0)
  }

  /// Reads the nights' exceptions, and looks up which of their keys were settled.
  ///
  /// - Parameters:
  ///   - since: the first booking day of the runs; nil for all. Only if it is given, records without a key are shown.
  ///   - until: the last booking day. What a later run has settled still waits.
  package init(
    _ ledger: LedgerReading, since: CalendarDay?, until: CalendarDay?, threads: Int
  ) throws(Failure) {
    (self.ledger, self.threads, showsWithoutKey) = (ledger, threads, since != nil)
    var (nights, unread): ([Night], [RunEntry]) = ([], [])
    let days = ledger.order.booked
    for run in ledger.history.runs {
      let booked = days[run.id]!
      if let since, booked < since { continue }
      if let until, until < booked { continue }
      if run.isAtURI || OutputPlace.isGone(FileName.string(run.directory)) {
        unread.append(run)
      } else {
        nights.append(Night(run: run, day: BookingOrder.day(of: run)))
      }
    }
    (self.nights, self.unread) = (nights, unread)
    lastRun = ledger.order.lastRun(until: until)
    try removeSettled(gather())
  }

  private typealias Kinds = (payments: [Fingerprint], refunds: [Fingerprint], agreements: [Fingerprint: String])

  /// Reads all nights; returns their keys, each at least once.
  private mutating func gather() throws(Failure) -> Kinds {
    var kinds: Kinds = ([], [], [:])
    let (nights, hash) = (nights, ledger.hash)
    var place: Int32 = 0
    try WorkerThreads.inOrder(nights.count, threads: threads) { night throws(Failure) in
      try Self.read(nights[night], hash)
    } take: { (found: Found) throws(Failure) in
      for key in found.payments where last.updateValue(place, forKey: key) == nil { kinds.payments.append(key) }
      for key in found.refunds where last.updateValue(place, forKey: key) == nil { kinds.refunds.append(key) }
      for (key, text) in found.agreements {
        last[key] = place
        kinds.agreements[key] = text
      }
      withoutKey.records += found.withoutKey.records
      withoutKey.rows += found.withoutKey.rows
      place += 1
    }
    return kinds
  }

  private static func read(_ night: Night, _ hash: KeyedHash) throws(Failure) -> Found {
    let exceptions = try NightExceptions(of: night.run)
    var found = Found()
    var record = WaitingRecord()
    while try exceptions.next(into: &record) {
      switch record.key {
      case .payment: found.payments.append(record.key!.fingerprint(hash))
      case .refund: found.refunds.append(record.key!.fingerprint(hash))
      case .agreement(let text): found.agreements[record.key!.fingerprint(hash)] = String(decoding: text, as: UTF8.self)
      case nil:
        found.withoutKey.records += 1
        found.withoutKey.rows += record.ends.count
      }
    }
    return found
  }

  /// Removes the keys that a run has settled, up to the last one that counts.
  private mutating func removeSettled(_ kinds: consuming Kinds) throws(Failure) {
    let keys = try ledger.keyLookup(filterMemory: Self.filterMemory)
    defer { keys.close() }
    kinds.payments.sort()
    for key in kinds.payments {
      let run = try keys.run(of: key, reader: 0, isAscending: true)
      if let run, run <= lastRun { last[key] = nil }
    }
    let entries = try ledger.entryLookup(before: lastRun + 1)
    defer { entries.close() }
    for key in kinds.refunds where try entries.run(ofRefund: key) != nil { last[key] = nil }
    for (key, text) in kinds.agreements {
      let run = nights[Int(last[key]!)].run.number
      let accepted = try entries.agreement(text)?.records.last?.run
      if let accepted, accepted > run { last[key] = nil }
    }
  }

  /// Makes a value from each night's waiting records, and passes them on by run.
  ///
  /// - Parameters:
  ///   - empty: the value without a record.
  ///   - add: adds a record. Called by several threads.
  package func forEach<Value: Sendable>(
    _ empty: Value, add: @escaping @Sendable (inout Value, Night, WaitingRecord) -> Void,
    take: (Value) throws(Failure) -> Void
  ) throws(Failure) {
    let (nights, hash, last, showsWithoutKey) = (nights, ledger.hash, last, showsWithoutKey)
    try WorkerThreads.inOrder(nights.count, threads: threads) { place throws(Failure) in
      var value = empty
      let exceptions = try NightExceptions(of: nights[place].run)
      var record = WaitingRecord()
      while try exceptions.next(into: &record) {
        let isShown = record.key.map { last[$0.fingerprint(hash)] == Int32(place) } ?? showsWithoutKey
        if isShown { add(&value, nights[place], record) }
      }
      return value
    } take: { (value: Value) throws(Failure) in
      try take(value)
    }
  }
}
