import ArgumentParser
import Console
import Failures
import FileSystem
import Notifications
import Documents
import Ledger
import Settlement

/// `settle notify`: the messages of a published settlement.
struct Notify: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Write the messages of a settlement to those who put an ipnUrl into the batch.",
    discussion: """
      Makes an outbox: one JSON object a line, each a message with its url and its body, a form like PayPal's \
      notifications for Adaptive Payments. There are messages for settled payments, refunds, and agreements that were \
      confirmed or canceled, and for nothing else. The reports must be unchanged since they were published, and the \
      batch must be the one they were made from (else 2). With --key-file each body ends in verify_sign, the \
      HMAC-SHA256 of everything before it.

      settle-deliver sends an outbox by HTTP; settle itself contacts no one.

      EXAMPLES:
        settle notify settled/2026-11-21 night.jsonl.lz4 --output 2026-11-21.outbox
        settle notify settled/2026-11-21 night.jsonl.lz4 --output 2026-11-21.outbox --key-file notify.key
        settle notify settled/2026-11-21 night.jsonl.lz4 --output 2026-11-21.outbox --earlier 2026-11-20.jsonl.lz4
      """)

  @Argument(.directory("The directory of reports, as settle run made it."))
  var directory: String

  @Argument(
    help: ArgumentHelp("The batch of these reports: all its files in order; - is standard input.", valueName: "batch"),
    completion: .file())
  var batch: [String]

  @Option(
    .file("The outbox to make; it must not exist. - is standard output.", name: .shortAndLong, valueName: "outbox"))
  var output: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Batches of earlier nights, oldest first: a refund of one of their payments goes to that payment's ipnUrl, "
        + "unless it has its own.",
      valueName: "batch"), completion: .file())
  var earlier: [String] = []

  @Option(.file("Sign the bodies with this key: 16 to 4096 bytes; an LF at its end is not counted."))
  var keyFile: String?

  @Option(.file("Check that this ledger has the run of these reports. Nothing is written to it."))
  var ledger: String?

  @OptionGroup var log: LogOptions

  func validate() throws { try BatchOptions.expectOneReader(batch + earlier + [keyFile].compactMap(\.self)) }

  func execute() throws(Failure) -> Int32 {
    let key = try keyFile.map { path throws(Failure) in try Self.key(path) }
    try askLedger(of: directory)
    let file = try OutputFile(path: output, replaces: false, outside: directory)
    let counts = try file.writeWhole { write throws(Failure) in
      try Outbox.write(
        directory, batch: batch, earlier: earlier, key: key, scratch: file.scratchPath, output: write)
    }
    Log.notice(
      "\(file.shown): \(Terminal.count(counts.payments + counts.refunds + counts.preapprovals, "message")): "
        + "\(Terminal.count(counts.payments, "payment")), \(Terminal.count(counts.refunds, "refund")), "
        + Terminal.count(counts.preapprovals, "preapproval"))
    return 0
  }

  /// Warns if the ledger does not confirm that these reports count: an earlier run may have settled the same payments,
  /// and their messages would be sent a second time.
  private func askLedger(of directory: String) throws(Failure) {
    guard let ledger else {
      return Log.warning("no ledger given (--ledger): cannot check whether an earlier run settled these payments")
    }
    let history = try LedgerHistory(ledger: ledger)
    Log.warn(about: history)
    let runs = history.runs
    let sums = try WholeFile.read("\(directory)/\(ReportKind.sums)", what: "the digests", limit: 1 << 24)
    if !runs.contains(where: { Array($0.sums.utf8) == sums }) {
      Log.warning("\(OutputPlace.shown(ledger)): has no run with these reports: \(OutputPlace.shown(directory))")
    }
  }

  private static func key(_ path: String) throws(Failure) -> [UInt8] {
    var key = try WholeFile.read(path, what: "the key", limit: 4097) ?? []
    func refused(_ reason: String) -> Failure { .configuration("\(OutputPlace.shown(path)): \(reason)") }
    // Listeners have the key without them, and would refuse every message.
    if key.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw refused("the key begins with a byte order mark; write it without one (tail -c +4 removes it)")
    }
    if key.last == 0x0A { key.removeLast() }
    if key.last == 0x0D {
      throw refused("the key ends in CR; write it without a line end, or with LF alone (tr -d '\\r')")
    }
    guard (16...4096).contains(key.count) else { throw refused("a key has 16 to 4096 bytes") }
    return key
  }
}
