import Failures
import FileSystem
import Glibc
import SQLite
import SystemPackage

/// A second lock file of a ledger, for a place that is not restored together with it: it finds a whole folder that was
/// put back (`ledger.md`).
///
/// It is written after publication, so that a ledger ahead of it is right. The ledger's own lock keeps others away.
final class LedgerWitness {
  private let path: String
  /// Its path for messages.
  let shown: String
  private let isReadOnly: Bool
  private var file: OpenFile?
  private var slots: SlotFile?
  /// Whether this made the file.
  private var isNew = false

  /// Opens the file, if there is one, and reads what it says.
  ///
  /// - Parameters:
  ///   - ledger: the ledger's path without links.
  ///   - isReadOnly: whether it is never made or written.
  init(_ path: String, ledger: String, isReadOnly: Bool = false) throws(Failure) {
    // A file of that name, although a dash means standard input or output elsewhere.
    (self.path, shown, self.isReadOnly) = (path == "-" ? "./-" : path, OutputPlace.shown(path), isReadOnly)
    guard !["", "-lock"].contains(where: { OutputPlace.isSame(path, ledger + $0) }) else {
      throw .usage("--witness names the ledger or its lock file; name another file, on another disk")
    }
    guard let file = try opened() else { return }
    let slots = SlotFile(file.descriptor, role)
    try slots.read()
    (self.file, self.slots) = (file, slots)
  }

  /// What it is to its ledger.
  var role: SlotFile.Role { .witness(shown) }

  /// What the file says about the ledger; nil if no slot is intact.
  var slot: LedgerSlot? { slots?.slot }

  /// Why it cannot be used: it has bytes, and none that were written as a slot. Nil if that is not so.
  var damage: Failure? {
    guard let slots, slots.slot == nil, slots.isDamaged else { return nil }
    return .unsound("\(role.its) is damaged", .makeWitness(shown))
  }

  private func opened() throws(Failure) -> OpenFile? {
    let flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    do throws(Errno) {
      let file = OpenFile(try FileName.open(path, flags | (isReadOnly ? O_RDONLY : O_RDWR)), shown: shown)
      guard try Stat(file.descriptor).type == .regular else { throw .notSupported }
      return file
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      if error == .notSupported { throw .unavailable("\(role.name) is not a regular file") }
      let mayWrite = isReadOnly || (try? FileName.open(path, flags | O_WRONLY).close()) != nil
      throw error == .permissionDenied && mayWrite
        ? .inputOutput("\(role.name) cannot be read: \(error)")
        : .unavailable("\(role.name) cannot be opened for writing: \(error)")
    }
  }

  /// Makes the file, empty, if there is none.
  func makeIfAbsent() throws(Failure) {
    guard file == nil else { return }
    do throws(Errno) {
      if isReadOnly { _ = try Directory(path: folder); return }
      let made = OpenFile(try FileName.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC), shown: shown)
      (file, slots, isNew) = (made, SlotFile(made.descriptor, role), true)
    } catch {
      throw .unavailable("\(role.name) cannot be made: \(error); its folder must exist")
    }
  }

  private var folder: String {
    let folder = FilePath(path).removingLastComponent()
    return folder.isEmpty ? "." : folder.string
  }

  /// Records the state of its ledger, and waits until that is on the disk.
  ///
  /// - Parameter again: whether to write it even if the newest slot is equal.
  func keep(_ slot: LedgerSlot, again: Bool = false) throws(Failure) {
    guard let slots, !isReadOnly else { return }
    try slots.keep(slot, again: again)
    guard isNew else { return }
    try using(shown, "synced", Directory(path: folder).sync())
    isNew = false
  }

  /// Removes the file if this made it and wrote nothing.
  func removeIfNew() { if isNew, slots?.isUnwritten ?? false { try? FileName.remove(path) } }
}

extension LedgerWitness {
  /// Why a ledger must not be used with this witness; nil if it may.
  func refusal(of database: Database) throws -> Failure? {
    let hasNothing = try LedgerSchema.hasNothing(database)
    if let damage { return damage }
    if hasNothing, slot?.isBlank ?? true { return nil }
    let identity = try LedgerIdentity(database)
    guard let known = slot else {
      guard identity.hasWitness else { return nil }
      return file == nil
        ? .unsound("\(role.its) is not there, as if its disk were not mounted", .makeWitness(shown))
        : .unsound("\(role.its) is empty", .makeWitness(shown))
    }
    if identity.name != known.name, try !Self.mayTakeName(identity, database) {
      return otherName(than: identity.name)
    }
    return try LedgerSlot.doubt(of: database, known: known, in: role).map {
      .unsound("\($0); \(known.described(by: role))", .adopt(asksForLastPayout: false, witness: shown))
    }
  }

  /// Whether a ledger may take the name that its witness says: `run --adopt` made it without knowing the name, and it has
  /// no payout yet.
  static func mayTakeName(_ identity: LedgerIdentity, _ database: Database) throws -> Bool {
    if try LedgerSchema.hasNothing(database) { return true }
    return try identity.isMadeAgain && PayoutEntry.inBookOrder(database).isEmpty
  }

  /// Says that it is the witness of another ledger, which is never overwritten.
  func otherName(than name: LedgerName) -> Failure {
    .inputOutput(
      "\(role.its) is that of the ledger \(slot?.name.digits ?? ""), and this ledger's name is \(name.digits). Two "
        + "ledgers cannot share a witness: name another file, on another disk")
  }

  /// What is known of a ledger that is gone, if its lock file or its witness names a run or payout.
  ///
  /// Throws if they are those of different ledgers.
  static func left(_ lock: LedgerSlot?, _ witness: LedgerWitness?) throws(Failure) -> LedgerSlot {
    guard var left = lock.flatMap({ $0.isBlank ? nil : $0 }) else { return witness!.slot! }
    guard let witness, let other = witness.slot, !other.isBlank else { return left }
    guard other.name == left.name else { throw witness.otherName(than: left.name) }
    if other.lastPayout > left.lastPayout || left.payoutDirectory == 0 && other.lastPayout == left.lastPayout {
      (left.lastPayout, left.payoutDirectory) = (other.lastPayout, other.payoutDirectory)
    }
    left.needsWord = left.needsWord && other.needsWord
    left.isBesideDamage = left.isBesideDamage && other.isBesideDamage
    return left
  }
}
