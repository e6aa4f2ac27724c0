import Failures
import FileSystem
import Ledger
import Text

extension ShardWork {
  /// Takes bytes of a command's output.
  public typealias Output = (Span<UInt8>) throws(Failure) -> Void

  /// Adds up adjacent rows of one account and currency from standard input.
  public static func addAccounts(to output: Output) throws(Failure) {
    let rows = StandardInputReader()
    var sum = AccountRowSum()
    while let line = try rows.line() {
      guard sum.add(SortedRow(line)) else {
        throw .inputOutput("standard input: malformed account row")
      }
      if sum.hasText { try output(sum.text.span) }
      sum.clearText()
    }
    sum.finish()
    try output(sum.text.span)
  }

  /// Looks up keys of claims from standard input in the plan's ledger; writes each that it contains, with its run.
  public func findKeys(to output: Output) throws(Failure) {
    guard let path = plan.ledger else { throw .usage("\(shown): was planned without a ledger") }
    let earlier =
      stands(Self.gather)
      ? try gathered().openEarlier(self)
      : try LedgerReading(path: path).earlier(before: .max)
    defer { earlier?.close() }
    let rows = StandardInputReader()
    var text = TextBuffer()
    while let line = try rows.line() {
      let row = SortedRow(line)
      guard row.keyLength == 32 else {
        throw .inputOutput("standard input: malformed claim row")
      }
      guard let run = earlier?.run(ofAny: ShardClaims.fingerprint([UInt8](row.key))), run > 0 else { continue }
      text.append(row.key)
      text.append(",\(run)\n")
      if text.count > 1 << 16 {
        try output(text.span)
        text.removeAll()
      }
    }
    if let failure = earlier?.failure { throw failure }
    try output(text.span)
  }
}
