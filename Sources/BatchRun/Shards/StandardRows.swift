import FileSystem
import Glibc
import SystemPackage
import Text

/// The rows of standard input.
private final class StandardRows: RowSource {
  private var held = TextBuffer(capacity: 1 << 17)
  private var at = 0
  private var isAtEnd = false

  func line() throws(RunFailure) -> UnsafeBufferPointer<UInt8>? {
    while true {
      if held.count > at, let feed = memchr(held.bytes + at, 0x0A, held.count - at) {
        let count = UnsafeRawPointer(feed) - UnsafeRawPointer(held.bytes + at)
        defer { at += count + 1 }
        return UnsafeBufferPointer(start: held.bytes + at, count: count)
      }
      if isAtEnd {
        guard held.count > at else { return nil }
        defer { at = held.count }
        return UnsafeBufferPointer(start: held.bytes + at, count: held.count - at)
      }
      let rest = held.count - at
      memmove(held.bytes, held.bytes + at, rest)
      held.truncate(to: rest)
      at = 0
      do throws(Errno) {
        let count = try systemCall { read(STDIN_FILENO, held.reserve(1 << 16), 1 << 16) }
        held.advance(by: count)
        isAtEnd = count == 0
      } catch { throw .inputOutput("standard input: cannot be read: \(error)") }
    }
  }
}

extension ShardWork {
  /// Takes bytes of what a command gives.
  public typealias Output = (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void

  /// Adds up adjacent rows of one account and currency that stand on standard input.
  public static func addAccounts(to output: Output) throws(RunFailure) {
    let rows = StandardRows()
    var sum = AccountRowSum()
    while let line = try rows.line() {
      guard let row = SortedRow(line), sum.take(row) else {
        throw .inputOutput("standard input: has a row that is none of accounts")
      }
      if sum.hasText { try output(sum.text.bytes, sum.text.count) }
      sum.clearText()
    }
    sum.finish()
    try output(sum.text.bytes, sum.text.count)
  }

  /// Finds the keys of claims that stand on standard input in the plan's ledger; gives each that is there, and its run.
  public func findKeys(to output: Output) throws(RunFailure) {
    guard let path = plan.ledger else { throw .usage("\(shown): was planned without a ledger") }
    let earlier =
      stands(Self.gather)
      ? try gathered().openEarlier(self)
      : try EarlierSettlements(PlannedLedger(path).reading, before: .max, shown: OutputPlace.shown(path))
    defer { earlier?.close() }
    let rows = StandardRows()
    var text = TextBuffer()
    while let line = try rows.line() {
      guard let row = SortedRow(line), row.keyLength == 32 else {
        throw .inputOutput("standard input: has a row that is none of claims")
      }
      guard let run = earlier?.run(ofAny: ShardVerdicts.fingerprint(row.key)), run > 0 else { continue }
      text.append(row.bytes, count: 32)
      text.append(",\(run)\n")
      if text.count > 1 << 16 {
        try output(text.bytes, text.count)
        text.removeAll()
      }
    }
    if let failure = earlier?.failure { throw failure }
    try output(text.bytes, text.count)
  }
}
