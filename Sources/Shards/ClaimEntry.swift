import BatchRun
import Claims
import Failures
import Publication
import Text

/// A record's claim in a shard's file `private`: what a later step needs to find the record and its rows.
struct ClaimEntry {
  var space = Claim.Space.payKey
  var key = Fingerprint.none
  /// The payment is settled.
  var isSettled = false
  /// The claim is refused: the key came before.
  var isRefused = false
  /// A refund names the payment.
  var isAsked = false
  /// The shard's file `refundables` contains what refunds need of the payment.
  var hasRefundable = false
  /// Where its line begins in the shard's text, and its length.
  var line = 0
  var length = 0
  /// The number of line feeds before it in the shard's text.
  var number = 0
  /// The number of bytes of its rows in `settlement.csv`.
  var settled = 0
  /// The same of `fees.csv`.
  var fees = 0
  /// The record's claim at a later level; nil if it has none.
  var later: LaterClaim?
}

/// Writes claims one after the other.
struct ClaimEntryWriter: ~Copyable {
  private var text = TextBuffer(capacity: 1 << 17)
  private var line = 0
  private var number = 0
  private let file: ReportFile
  private let hasFees: Bool

  /// - Parameter hasFees: whether there is a `fees.csv`.
  init(_ file: ReportFile, hasFees: Bool) { (self.file, self.hasFees) = (file, hasFees) }

  mutating func append(_ entry: borrowing ClaimEntry) throws(Failure) {
    try file.writeLong(&text)
    text.append(
      entry.space.rawValue | (entry.isSettled ? 4 : 0) | (entry.isRefused ? 8 : 0) | (entry.isAsked ? 16 : 0)
        | (entry.later == nil ? 0 : 32) | (entry.hasRefundable ? 64 : 0))
    if entry.space != .preapprovalKey { entry.key.append(to: &text) }
    append(entry.line - line)
    append(entry.length)
    append(entry.number - number)
    append(entry.settled)
    if hasFees { append(entry.fees) }
    (line, number) = (entry.line, entry.number)
    guard let later = entry.later else { return }
    var writer = ByteWriter()
    writer.laterClaim(later)
    append(writer.bytes.count)
    text.append(writer.bytes)
  }

  @inline(__always)
  private mutating func append(_ value: Int) { Varint.write(UInt64(value)) { text.append($0) } }

  /// Writes the rest.
  func finish() throws(Failure) { try file.write(text.span) }
}

/// Reads claims one after the other.
struct ClaimEntryReader {
  private let file: StepReader
  private let hasFees: Bool
  private var entry = ClaimEntry()

  /// - Parameter hasFees: whether there is a `fees.csv`.
  init(_ file: StepReader, hasFees: Bool) { (self.file, self.hasFees) = (file, hasFees) }

  /// The next claim; nil at the end.
  mutating func next() throws(Failure) -> ClaimEntry? {
    guard let flags = try file.byte() else { return nil }
    guard let space = Claim.Space(rawValue: flags & 3) else { throw file.damage("it claims a key of an unknown kind") }
    entry.space = space
    entry.isSettled = flags & 4 != 0
    entry.isRefused = flags & 8 != 0
    entry.isAsked = flags & 16 != 0
    entry.hasRefundable = flags & 64 != 0
    entry.key = space == .preapprovalKey ? .none : try key()
    entry.line += try file.number()
    entry.length = try file.number()
    guard entry.length <= RecordLimits.maximumLength else { throw file.damage("a record is too long") }
    entry.number += try file.number()
    entry.settled = try file.number()
    if hasFees { entry.fees = try file.number() }
    entry.later = nil
    if flags & 32 != 0 {
      var bytes: [UInt8] = []
      try file.passOn(try file.number()) { bytes.append($0) }
      var reader = ByteReader(bytes[...], name: file.shown)
      entry.later = try reader.laterClaim()
    }
    return entry
  }

  private func key() throws(Failure) -> Fingerprint {
    let file = file
    guard let bytes = try file.read(Fingerprint.length) else { throw file.damage("it ends too early") }
    return Fingerprint(bytes, at: 0)
  }
}
