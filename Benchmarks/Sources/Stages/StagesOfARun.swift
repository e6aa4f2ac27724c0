import BatchRun
import Input
import Rules
import RunStages
import TestSupport
import Text

/// A stage that exists only in a whole run, on a batch that was read and expanded before.
final class StageOfARun: PreparedStage {
  /// The stages, in their order.
  enum Stage: Int, CaseIterable {
    /// A worker's part for a chunk's lines: fields, checks, figures, rows, hashes of keys and accounts.
    case assess
    /// Posting what receivers got to the account totals.
    case postAccounts
    /// Remembering pay keys and finding repeated ones.
    case rememberPayKeys
    /// Committing chunks in order: pay keys, lines that span chunks, sums, texts.
    case commit
    /// Sorting accounts and writing the rows of `receivers.csv`.
    case writeReceivers
  }

  let payments: Int
  var bytes: Int { staged.textBytes }
  private let stage: Stage
  private let staged: StagedRun
  private let folder: TemporaryFolder
  private var payKeys = 0
  private var totals = ControlTotals()
  private var settlement = TextBuffer(capacity: 1 << 20)
  private var exceptions = TextBuffer(capacity: 1 << 20)
  private var receivers = TextBuffer(capacity: 1 << 20)

  init(payments: Int, _ stage: Stage) throws {
    self.payments = payments
    self.stage = stage
    folder = try TemporaryFolder()
    let path = try folder.sampleBatch(payments: payments, defectsPerMillion: 10_000).path
    staged = try StagedRun(path, options: RunOptions(threads: 1))
  }

  func setUp() throws {
    for earlier in Stage.allCases.prefix(stage.rawValue) { try perform(earlier) }
  }

  func run() throws { try perform(stage) }

  /// The hash of what the stage and all later ones produce.
  func resultHash() throws -> UInt64 {
    for later in Stage.allCases.dropFirst(stage.rawValue + 1) { try perform(later) }
    var hash = ResultHash()
    hash.add(payKeys)
    hash.add(totals)
    settlement.withSpan { hash.add($0) }
    hash.add(exceptions, without: folder.path)
    receivers.withSpan { hash.add($0) }
    return hash.value
  }

  private func perform(_ stage: Stage) throws {
    switch stage {
    case .assess: staged.assess()
    case .postAccounts: staged.postAccounts()
    case .rememberPayKeys: payKeys = staged.rememberPayKeys()
    case .commit:
      settlement.removeAll()
      exceptions.removeAll()
      totals = try staged.commit(settlement: &settlement, exceptions: &exceptions)
    case .writeReceivers:
      receivers.removeAll()
      staged.writeReceivers(to: &receivers)
    }
  }
}

extension ResultHash {
  /// Adds a text without the name of a folder, which differs between processes.
  mutating func add(_ text: borrowing TextBuffer, without folder: String) {
    for part in [UInt8](text.span).split(separator: Array(folder.utf8)) { add(part.span) }
  }
}
