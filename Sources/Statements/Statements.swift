import BatchFile
import BatchRun
import Payments
import Settlement

/// Statements of accounts, from a batch that is settled once more.
public enum Statements {
  /// What is asked for.
  public struct Request: Sendable {
    /// How the statements look.
    public let format: StatementFormat
    /// Whose they are; nil for everybody that received something.
    public let accounts: SelectedAccounts?
    /// The day they are of; nil for that of the batch's header.
    public let day: SettlementDay?

    /// A request.
    public init(format: StatementFormat, accounts: SelectedAccounts?, day: SettlementDay?) {
      self.format = format
      self.accounts = accounts
      self.day = day
    }

    fileprivate var isForManyFolders: Bool { format == .stl && accounts == nil }
  }

  /// What was written.
  public struct Outcome: Sendable {
    /// What became of the batch.
    public let result: RunResult
    /// The day of the statements.
    public let day: SettlementDay
    /// The statements.
    public let accounts: Int
    /// The rows of all.
    public let rows: Int
    /// The Custom Fields that lost backslashes.
    public let textsWithoutBackslashes: Int
    /// The Custom Fields that were left out.
    public let textsLeftOut: Int
    /// The rows with a card number that was masked.
    public let rowsMasked: Int
  }

  /// Settles a batch once more and publishes statements as the directory `output`, all or nothing.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - output: the directory to make. It must not exist; its parent must.
  /// - Returns: what was written; it stands when this returns.
  /// - Throws: what a run throws; `.usage` where neither the request nor the batch's header tells the day.
  public static func write(
    _ paths: [String], _ request: Request, output: String, options: RunOptions, progress: RunProgress? = nil
  ) throws(RunFailure) -> Outcome {
    let tree = try OutputTree(path: output, isOwn: isOwn)
    let folders = AccountFolders(tree)
    guard request.isForManyFolders, options.threads > 1 else {
      return try write(paths, request, tree, folders, expecting: nil, options: options, progress: progress)
    }
    return try folders.makingAhead { () throws(RunFailure) in
      try write(paths, request, tree, folders, expecting: folders, options: options, progress: progress)
    }
  }

  private static func write(
    _ paths: [String], _ request: Request, _ tree: OutputTree, _ folders: AccountFolders,
    expecting expected: AccountFolders?, options: RunOptions, progress: RunProgress?
  ) throws(RunFailure) -> Outcome {
    let gathering = GatheredLines(LineSorter(try tree.makeSpool()), expecting: expected)
    let writer = writer(request)
    let result = try BatchRun.entries(paths, options: options, progress: progress, writer: writer, to: gathering).result
    guard let day = request.day ?? result.createdAt.map(SettlementDay.init(of:)) else {
      throw .usage("the batch's header does not tell the settlement day; give it with --date YYYY-MM-DD")
    }
    let account = try AccountFiles(
      try gathering.sorter.finish(), in: tree, folders: folders,
      names: StatementNames(format: request.format, day: day),
      selected: request.accounts, threads: options.threads)
    try tree.fill { () throws(RunFailure) in try account.write() }
    try tree.publish(exitCode: result.exitCode)
    return Outcome(
      result: result, day: day, accounts: account.count, rows: account.rows,
      textsWithoutBackslashes: account.textsWithoutBackslashes, textsLeftOut: account.textsLeftOut,
      rowsMasked: account.rowsMasked)
  }

  /// Makes the rows of a payment.
  private static func writer(_ request: Request) -> EntryWriter {
    let (format, selected) = (request.format, request.accounts)
    return EntryWriter(sumsAccounts: false) { assessor, text in
      for place in 0..<assessor.receiverCount {
        let receiver = assessor.receiver(place)
        if let selected {
          let account = UnsafeBufferPointer(start: receiver.pointee.account, count: receiver.pointee.accountLength)
          guard selected.number(of: account) != nil else { continue }
        }
        switch format {
        case .stl: STLRows.append(place, of: assessor, to: &text)
        case .csv: CSVRows.append(place, of: assessor, to: &text)
        }
      }
    }
  }

  /// Whether a name is one that statements leave in their directory: of a file or a folder.
  private static func isOwn(_ name: String, isFolder: Bool) -> Bool {
    if name == StatementNames.list { return !isFolder }
    let number = isFolder ? Substring(name) : name.hasSuffix(".csv") ? name.dropLast(4) : ""
    return !number.isEmpty && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

/// Gives the lines of a batch to the sorter.
private final class GatheredLines: EntryDestination {
  let sorter: LineSorter
  private let folders: AccountFolders?
  @exclusivity(unchecked) private var accounts = DistinctAccounts()

  /// - Parameter expecting: what is told how many accounts there are.
  init(_ sorter: LineSorter, expecting folders: AccountFolders?) {
    self.sorter = sorter
    self.folders = folders
  }

  func takeHeader(createdAt: UTCTime?) {}

  func takeEntries(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try sorter.take(bytes, count: count)
    guard let folders else { return }
    var at = 0
    while at < count {
      let line = StatementLine(start: bytes + at)
      accounts.meet(line.account)
      at += line.length
    }
    folders.expect(accounts.count)
  }
}
