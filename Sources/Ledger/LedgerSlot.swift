import Digests
import FoundationEssentials
import SQLite
import Text

/// What a lock file or a witness records about its ledger, so that a lost, truncated or restored older ledger is noticed.
struct LedgerSlot: Equatable {
  /// The bytes of a slot as stored.
  static let length = 80
  /// The lengths of slots of 1.0.0-rc.3, without the digest of a directory, and of rc.2, without names.
  private static let (undigestedLength, unnamedLength) = (72, 64)

  /// The ledger's id, which pairs it with this file; zeros until the ledger is made.
  var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  /// The ledger's name for life.
  var name = LedgerName(0)
  /// The number of the last run entered, or 0; nil until the ledger is made.
  var lastRun: Int?
  /// Distinguishes that run from another run with its number; 0 before the first run.
  var digest: Int64 = 0
  /// The highest number of a payout that is known, entered or missing, or 0.
  var lastPayout = 0
  /// Distinguishes that payout from another payout with its number; 0 if it is missing.
  var payoutDigest: Int64 = 0
  /// The digest of that payout's directory (`DirectoryDigest`); 0 if it is not known.
  var payoutDirectory: Int64 = 0
  /// Whether the ledger was made again without a lock file, and the operator has not said which payout was the last.
  var needsWord = false
  /// Whether the file's other slot is damaged, which may have been the newer one. Not stored.
  var isBesideDamage = false

  /// Whether it names neither a run nor a payout. Without a ledger, such a file counts as absent.
  var isBlank: Bool { lastRun ?? 0 == 0 && lastPayout == 0 }

  /// The ledger that it was written for, in words.
  func described(by file: SlotFile.Role) -> String {
    switch lastRun {
    case .some(let run) where run > 0:
      "\(file.its) says run \(run) was entered last" + (lastPayout > 0 ? ", and payout \(lastPayout)" : "")
    default:
      "\(file.its) says it has no run yet" + (lastPayout > 0 ? ", and payout \(lastPayout) was the last" : "")
    }
  }

  /// A slot as it is stored: a number that grows with each write, then the fields, all little-endian, then the XXH3 of
  /// all that.
  func bytes(sequence: UInt64) -> [UInt8] {
    var slot = TextBuffer()
    slot.append(littleEndian: sequence)
    slot.append(littleEndian: Int64(lastRun ?? -1))
    slot.append(id.bytes)
    for number in [
      digest, Int64(lastPayout), payoutDigest, Int64(name.number) | (needsWord ? Self.needsWordBit : 0),
      payoutDirectory,
    ] { slot.append(littleEndian: number) }
    slot.append(littleEndian: XXH3.checksum(of: slot.span))
    return [UInt8](slot.span)
  }

  /// A bit above those of the name.
  private static let needsWordBit: Int64 = 1 << 62

  /// The slot in some bytes, and its number; nil if they are not what was written.
  static func stored(in bytes: [UInt8]) -> (slot: LedgerSlot, sequence: UInt64)? {
    func isWritten(_ length: Int) -> Bool {
      bytes.count >= length
        && bytes.span.littleEndian(at: length - 8, as: UInt64.self)
          == XXH3.checksum(of: bytes.span.extracting(first: length - 8))
    }
    func number(_ place: Int) -> Int64 { bytes.span.littleEndian(at: place, as: Int64.self) }
    guard let length = [length, undigestedLength, unnamedLength].first(where: isWritten) else {
      return nil
    }
    var slot = LedgerSlot()
    slot.lastRun = number(8) < 0 ? nil : Int(number(8))
    slot.id = UUID(bytes.span, at: 16)
    slot.name = LedgerName(of: slot.id)
    slot.digest = number(32)
    (slot.lastPayout, slot.payoutDigest) = (Int(number(40)), number(48))
    if length > unnamedLength {
      slot.name = LedgerName(UInt64(bitPattern: number(56)))
      slot.needsWord = number(56) & needsWordBit != 0
    }
    if length > undigestedLength { slot.payoutDirectory = number(64) }
    return (slot, UInt64(bitPattern: number(0)))
  }
}

extension LedgerSlot {
  private static let unproven = "the ledger has runs, and no valid lock file says that this is the newest copy"

  /// Why a ledger with this state cannot be the newest copy that a file vouches for; nil if it can. Having more runs or
  /// payouts is right.
  ///
  /// - Parameters:
  ///   - known: what the file says; nil if it has no valid slot.
  ///   - now: the ledger's state.
  ///   - then: the ledger's state up to the last run and payout of `known`.
  static func doubt(of now: LedgerSlot, known: LedgerSlot?, then: LedgerSlot, in file: SlotFile.Role) -> String? {
    guard let known, let lastRun = known.lastRun else {
      return now.isBlank ? nil : unproven
    }
    if now.id != known.id { return "is not the ledger of \(file.its)" }
    // A slot is written after the ledger: if that was interrupted, the ledger is ahead of the other slot.
    if known.isBesideDamage, now.lastRun ?? 0 <= lastRun, now.lastPayout <= known.lastPayout {
      return "\(file.name) is damaged, and may have said that there is a newer copy"
    }
    if then.lastRun != lastRun { return "the ledger has runs up to \(then.lastRun ?? 0) only" }
    if then.digest != known.digest { return "the ledger's run \(lastRun) is not the one that was entered" }
    if then.lastPayout != known.lastPayout {
      return "the ledger has payouts up to \(then.lastPayout) only, and would make the others again"
    }
    if known.payoutDigest != 0, then.payoutDigest != known.payoutDigest {
      return "the ledger's payout \(known.lastPayout) is not the one that was entered"
    }
    return nil
  }
}

extension LedgerSlot {
  /// The state of a ledger: its last run and its last payout, or the highest number of a payout that it knows.
  ///
  /// - Parameter end: the entry before which it was in that state; nil for the state now.
  init(_ database: Database, before end: EntryID? = nil) throws {
    try self.init(
      database, beforeRun: end?.kind == .run ? end!.number : .max,
      beforePayout: end?.kind == .payout ? end!.number : .max)
  }

  /// The state of a ledger before a run and before a payout.
  init(_ database: Database, beforeRun: Int, beforePayout: Int) throws {
    let identity = try LedgerIdentity(database)
    let run = try EntryTable.last(database, .run, before: beforeRun)
    var (payout, directory) = (try EntryTable.last(database, .payout, before: beforePayout), Int64(0))
    if payout.number < identity.lastPayout {
      // Later payouts get numbers above the highest one that is known.
      (payout, directory) = ((identity.lastPayout, 0), identity.lastDirectory ?? 0)
    } else if payout.number > 0 {
      let sums = try String.fetchOne(
        database, sql: "SELECT sums FROM payout WHERE number = ?", arguments: [payout.number])
      directory = sums.map { DirectoryDigest(sums: $0).number } ?? 0
    }
    self.init(
      id: identity.id, name: identity.name, lastRun: run.number, digest: run.digest, lastPayout: payout.number,
      payoutDigest: payout.digest, payoutDirectory: directory, needsWord: identity.needsWord)
  }

  /// Why a ledger cannot be the newest copy that a file vouches for; nil if it can.
  static func doubt(
    of database: Database, known: LedgerSlot?, in file: SlotFile.Role = .lockFile
  ) throws -> String? {
    // While a ledger is made, it has no id.
    guard try LedgerSchema.state(database).isLedger else {
      return known.map { $0.isBlank ? nil : "is not the ledger of \(file.its)" } ?? unproven
    }
    let then =
      try known.map { try LedgerSlot(database, beforeRun: ($0.lastRun ?? 0) + 1, beforePayout: $0.lastPayout + 1) }
    let now = try LedgerSlot(database)
    return doubt(of: now, known: known, then: then ?? now, in: file)
  }
}
