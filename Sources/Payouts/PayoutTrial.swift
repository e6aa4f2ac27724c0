import Documents
import Failures
import FileSystem
import Records
import Text

/// What `settle payout --dry-run` shows: a row of CSV for each balance. They are in a file without a name until all checks
/// are made.
final class PayoutTrial {
  private let spool: SpoolFile

  init(beside place: OutputPlace) throws(Failure) { spool = try SpoolFile(beside: place) }

  func append(_ decision: PayoutMaking.Decision) throws(Failure) {
    var text = TextBuffer()
    text.append(decision.book)
    text.append(",")
    text.append(decision.book.closing)
    text.append(",")
    if let method = decision.method {
      text.append(decision.free)
      text.append(",")
      text.append(method.name)
    } else {
      text.append(",")
    }
    text.append(",")
    if let reason = decision.reason { text.append(reason.rawValue) }
    text.append(decision.held)
    text.append("\n")
    try spool.append(text.span)
  }

  func finish() throws(Failure) { try spool.flush() }

  /// Passes on the rows, piece by piece.
  func forEachPiece(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    try spool.forEachPiece { piece throws(Failure) in try take([UInt8](piece)) }
  }
}

extension Payout {
  var trialHeader: String {
    "account,currency,balance,paid,method,reason\(options.terms == nil ? "" : ",delayed,reserved,kept")\n"
  }

  /// Decides what would happen to each balance, and writes nothing that stays.
  func tried(_ subject: PayoutMaking.Subject) throws(Failure) -> PayoutResult {
    // Next to the ledger, as there is no output.
    let place = try OutputPlace(path: options.ledger)
    let trial = try PayoutTrial(beside: place)
    let lists = try PayoutLists(beside: place)
    let making = try PayoutMaking(subject, files, lists: lists) { decision throws(Failure) in
      try trial.append(decision)
    } makeFile: { _ throws(Failure) in
      TableFile(NoFile()) {}
    }
    let figures = try decide(making, subject, lists)
    try trial.finish()
    ledger.warnOfChange(by: .payout(subject.number), ofDate: CalendarDay(options.date)!, note: note)
    try show(Array(trialHeader.utf8))
    try trial.forEachPiece(show)
    return .tried(figures)
  }

  private final class NoFile: ReportWriter {
    func write(_ text: Span<UInt8>) {}
  }
}
