import BatchRun
import Claims
import Failures
import Postings
import Documents
import Rules
import Text

/// A settling run split into its stages, so that each can be measured separately.
///
/// Each stage makes the same calls as a run, on the caller's thread, and nothing is published. All chunks of the batch
/// and all results are kept in memory at once, which a run never does. Call the stages in the order of their
/// declarations, each once; `assess()` starts again.
public final class StagedRun {
  private let options: RunOptions
  private let works: [ChunkWork]
  private let fileNames: [[UInt8]]
  private let hash = KeyedHash()
  private var accounts = AccountTotals()

  /// The bytes of the batch's text.
  public let textBytes: Int

  /// Reads and expands a batch file; throws if it cannot be read.
  public init(_ path: String, options: RunOptions) throws(Failure) {
    let input = try BatchInput(path: path)
    var works: [ChunkWork] = []
    while true {
      // Stretches without a budget: nothing is committed before everything is assessed.
      let work = ChunkWork(
        plainLength: options.plainChunkLength, textBudget: StretchResult.noBudget, accounts: accounts)
      guard input.readNext(into: work) else { break }
      work.chunk.expand()
      works.append(work)
    }
    if let failure = input.failure { throw failure }
    self.options = options
    self.works = works
    fileNames = input.escapedNames
    textBytes = works.reduce(0) { $0 + $1.chunk.count }
  }

  /// Does a worker's part for the lines that begin and end inside a chunk: fields, checks, figures, rows, hashes.
  ///
  /// Lines that span chunks are left to `commit`, as in a run.
  public func assess() {
    accounts = AccountTotals()
    var settler = RecordSettler(options: options, hash: hash)
    for work in works {
      work.stretch.post(to: accounts)
      work.stretch.clear()
      work.settleLines(&settler)
    }
  }

  /// Posts what the receivers got to the account totals.
  public func postAccounts() {
    for work in works { work.stretch.post() }
  }

  /// Remembers the pay keys, starting with none.
  ///
  /// - Returns: the number of distinct keys.
  public func rememberPayKeys() -> Int {
    var register = ClaimRegister()
    var count = 0
    for work in works {
      let claims = work.stretch.claims
      for (index, claim) in claims.enumerated() {
        if index + 12 < claims.count { register.prefetch(claims[index + 12].claim) }
        if register.grants(claim.claim) { count += 1 }
      }
    }
    return count
  }

  /// Commits the chunks in order.
  ///
  /// - Parameters:
  ///   - settlement: takes the rows of `settlement.csv`.
  ///   - exceptions: takes the rows of `exceptions.csv`.
  /// - Returns: counts and sums.
  /// - Throws: batch errors, except those that only the end of a batch can show.
  public func commit(
    settlement: inout TextBuffer, exceptions: inout TextBuffer
  ) throws(Failure) -> ControlTotals {
    let (settled, rows) = (ReportText(), ReportText())
    swap(&settled.text, &settlement)
    swap(&rows.text, &exceptions)
    defer {
      swap(&settled.text, &settlement)
      swap(&rows.text, &exceptions)
    }
    let commit = OrderedCommit(
      to: ReportSink(settlement: settled, exceptions: rows, refunds: nil), fileNames: fileNames, options: options,
      hash: hash, accounts: accounts)
    for work in works {
      try commit.append(&work.stretch, of: work)
      try commit.finish(work)
    }
    return commit.totals
  }

  /// Sorts the accounts and appends the rows of `receivers.csv`, with the number of threads in the options.
  public func writeReceivers(to text: inout TextBuffer) {
    accounts.write(threads: options.threads, append: ReceiversReport.append) { rows in
      text.append(rows)
    }
  }
}

/// Keeps a report in memory.
private final class ReportText: ReportWriter {
  var text = TextBuffer()

  func write(_ text: Span<UInt8>) { self.text.append(text) }
}
