import BatchFile
import Money
import Payments
import Reports
import Settlement

/// Makes a text of each settled payment: what `BatchRun.entries` is given.
public struct EntryWriter: Sendable {
  /// Appends what is made of the settled payment that the assessor holds, or nothing; called by several threads at a
  /// time, in no particular order, so that it must depend on the payment alone. What it appends for a payment whose pay
  /// key turns out to be repeated is dropped.
  public let write: @Sendable (borrowing PaymentAssessor, inout TextBuffer) -> Void
  /// Whether it is to be known in the end what each receiver got.
  public let sumsAccounts: Bool
  /// Whether what each sender paid is to be known, too: its gross is then all that it paid, fees on top included, and
  /// the account of a payment without a sender is empty. Each account begins with a byte more, `receiverMark` or
  /// `senderMark`; receivers come first.
  public let sumsSenders: Bool

  /// What stands before a receiver's account where senders are summed, too.
  public static let receiverMark = UInt8(ascii: "r")
  /// What stands before a sender's account.
  public static let senderMark = UInt8(ascii: "s")

  /// - Parameters:
  ///   - sumsAccounts: whether `BatchRun.entries` returns what each receiver got; it takes time and memory.
  ///   - sumsSenders: whether it returns what each sender paid, too; only with `sumsAccounts`.
  ///   - write: what `write` is.
  public init(
    sumsAccounts: Bool, sumsSenders: Bool = false,
    write: @escaping @Sendable (borrowing PaymentAssessor, inout TextBuffer) -> Void
  ) {
    precondition(sumsAccounts || !sumsSenders, "senders are summed beside receivers")
    self.write = write
    self.sumsAccounts = sumsAccounts
    self.sumsSenders = sumsSenders
  }

  /// Appends `account,currency,` of each receiver, and tells where.
  func appendAccounts(
    _ assessor: borrowing PaymentAssessor, to text: inout TextBuffer,
    receiver take: (UnsafePointer<ReceiverFigures>, SettlementReport.AccountPlace) -> Void
  ) {
    let currency = assessor.currency.unsafelyUnwrapped
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place)
      take(
        receiver,
        append(
          receiver.pointee.account, count: receiver.pointee.accountLength, mark: Self.receiverMark, currency: currency,
          to: &text))
    }
  }

  /// Appends `account,currency` of the sender, and tells where.
  func appendSender(
    _ assessor: borrowing PaymentAssessor, to text: inout TextBuffer
  ) -> SettlementReport.AccountPlace {
    append(
      assessor.sender.bytes, count: assessor.sender.count, mark: Self.senderMark,
      currency: assessor.currency.unsafelyUnwrapped, to: &text)
  }

  private func append(
    _ account: UnsafePointer<UInt8>, count: Int, mark: UInt8, currency: Currency, to text: inout TextBuffer
  ) -> SettlementReport.AccountPlace {
    let start = text.count
    if sumsSenders { text.append(mark) }
    text.append(account, count: count)
    text.append(UInt8(ascii: ","))
    text.append(currency.codeBytes.0)
    text.append(currency.codeBytes.1)
    text.append(currency.codeBytes.2)
    return SettlementReport.AccountPlace(
      text: UnsafePointer(text.bytes), offset: start, length: text.count - start)
  }
}

/// Takes the entries of a batch, in batch order; by one thread at a time, though not always the same.
public protocol EntryDestination: AnyObject {
  /// Told that the batch has a header, before any entries come; what is not known yet without one stays so.
  ///
  /// - Parameter createdAt: when the batch was made, where the header says so.
  func takeHeader(createdAt: UTCTime?)

  /// Takes the entries of one or more payments, each whole; `bytes` are good for the call alone.
  func takeEntries(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}

extension BatchRun {
  /// Settles a batch once more and makes a text of each settled payment, in batch order, instead of reports.
  ///
  /// The rules and the rejections are those of a run. What is wrong with the batch as a whole may be known only at its
  /// end: nothing of what the destination got may be published before this returns.
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - writer: makes the texts.
  ///   - destination: takes them.
  /// - Returns: what became of the batch, and what each receiver got, where the writer asks for it.
  public static func entries(
    _ paths: [String], options: RunOptions, progress: RunProgress? = nil, writer: EntryWriter,
    to destination: some EntryDestination
  ) throws(RunFailure) -> (result: RunResult, accounts: AccountTotals) {
    let pipeline = try BatchPipeline(
      paths.map { InputSource(path: $0) }, options: options, purpose: .entries(writer), sink: EntrySink(destination),
      progress: progress)
    let result = try pipeline.run()
    return (result, pipeline.accountTotals)
  }
}

/// The entries of a run, on their way out.
private final class EntrySink<Destination: EntryDestination>: ReportSink {
  private let destination: Destination

  init(_ destination: Destination) { self.destination = destination }

  func takeHeader(createdAt: UTCTime?) { destination.takeHeader(createdAt: createdAt) }

  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try destination.takeEntries(text, count: count)
  }

  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    preconditionFailure("entries have no rows")
  }
}
