import ArgumentParser
import BatchRun
import FileSystem
import Notifications

/// `settle notify`: the messages of a published settlement.
struct Notify: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Write the messages of a settlement to those who put an ipnUrl into the batch.",
    discussion: """
      Makes an outbox: one JSON object a line, each a message with the url it goes to and its body, a form as PayPal's \
      notifications for Adaptive Payments have it. Told are settled payments, refunds, and agreements that were confirmed \
      or canceled; who is not settled gets no message. The reports must be as they were published, and the batch the \
      one that they are of (else 2). With --key-file each body ends in verify_sign, the HMAC-SHA256 of what stands before it.

      EXAMPLES:
        settle notify settled/2026-11-21 night.jsonl.lz4 --output 2026-11-21.outbox
        settle notify settled/2026-11-21 night.jsonl.lz4 --output 2026-11-21.outbox --key-file notify.key
      """)

  @Argument(
    help: ArgumentHelp("The directory of reports, as settle run made it.", valueName: "dir"), completion: .directory,
    transform: named)
  var directory: String

  @OptionGroup var batch: BatchOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The outbox to make; it must not exist. - is standard output.", valueName: "outbox"),
    completion: .file(), transform: named)
  var output: String

  @Option(
    help: ArgumentHelp(
      "Sign the bodies by this key: 16 to 4096 bytes; a line feed at its end is not counted.", valueName: "file"),
    completion: .file(), transform: named)
  var keyFile: String?

  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    guard (batch.batch + [keyFile]).count(where: { $0 == "-" }) <= 1 else {
      throw .usage("standard input (-) can be read only once")
    }
    let key = try keyFile.map { path throws(RunFailure) in try Self.key(path) }
    let file = try OutputFile(path: output, replaces: false, outside: directory)
    let counts = try file.writeWhole { write throws(RunFailure) in
      try Outbox.write(directory, batch: batch.batch, key: key, scratch: file.scratchPath, output: write)
    }
    Log.notice(
      "\(file.shown): \(Terminal.count(counts.payments + counts.refunds + counts.preapprovals, "message")): "
        + "\(Terminal.count(counts.payments, "payment")), \(Terminal.count(counts.refunds, "refund")), "
        + Terminal.count(counts.preapprovals, "preapproval"))
    return 0
  }

  private static func key(_ path: String) throws(RunFailure) -> [UInt8] {
    var key = try WholeFile.read(path, what: "the key", limit: 4097) ?? []
    if key.last == 0x0A { key.removeLast() }
    guard (16...4096).contains(key.count) else {
      throw .configuration("\(OutputPlace.shown(path)): a key has 16 to 4096 bytes")
    }
    return key
  }
}
