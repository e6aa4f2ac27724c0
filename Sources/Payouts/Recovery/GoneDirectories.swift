import Failures
import FileSystem
import FoundationEssentials
import Ledger
import Text

/// Payouts that may not have been sent yet, and whose directories are not where they were published: the last one, and
/// those entered in the last seven days (`payouts.md`).
public struct GoneDirectories {
  private static let days = 7

  private let payouts: [PayoutEntry]
  private let ledger: LedgerWords

  /// - Parameters:
  ///   - all: the payouts of a ledger.
  ///   - ledger: its path, as messages show it.
  ///   - witness: the path of the witness that was given; nil if none was.
  public init(_ all: [PayoutEntry], ledger: String, witness: String? = nil, now: Date = .now) {
    self.ledger = LedgerWords(shown: ledger, witness: witness)
    let last = all.map(\.number).max()
    let start = now.addingTimeInterval(-Double(Self.days * 86400))
    payouts = all.filter { payout in
      let isRecent = (try? Date(payout.time, strategy: .iso8601)).map { $0 >= start } ?? false
      return (isRecent || payout.number == last) && OutputPlace.isGone(FileName.string(payout.directory))
    }
  }

  /// Those of a ledger that is only read.
  public init(ledger path: String) throws(Failure) {
    self.init(try LedgerHistory(ledger: path).payouts, ledger: OutputPlace.shown(path))
  }

  /// The number of these payouts.
  public var count: Int { payouts.count }

  /// A message for each, with the command that publishes it again.
  ///
  /// - Parameter payout: the number of a payout about which nothing needs to be said.
  public func warnings(except payout: Int? = nil) -> [String] {
    payouts.filter { $0.number != payout }.map { payout in
      """
      payout \(payout.number) of \(payout.identity.date): its directory \
      \(OutputPlace.shown(FileName.string(payout.directory))) is gone. If it was not sent, no one was paid by it. Put it \
      back, or publish it again from the files that it was made of:
        \(payout.republishing(ledger))
      """
    }
  }
}

extension PayoutEntry {
  /// The command that publishes its files again, with a word in capitals for each file that it was made of, and the
  /// SHA-256 of these files.
  func republishing(_ ledger: LedgerWords) -> String {
    let identity = self.identity
    var words = ["settle", "payout", "--ledger", ledger.shown] + (ledger.witness.map { ["--witness", $0] } ?? [])
    var files: [String] = []
    func add(_ option: String, _ digests: String?) {
      let all = digests?.split(separator: ",") ?? []
      for (place, digest) in all.enumerated() {
        let name = option.uppercased() + (all.count > 1 ? "-\(place + 1)" : "")
        words += ["--\(option)", name]
        files.append("\n    \(name): SHA-256 \(digest)")
      }
    }
    add("payees", identity.payees)
    words += ["--date", identity.date, "--execution-date", identity.executionDate, "--until", "\(identity.untilRun)"]
    if let since = identity.since { words += ["--since", "\(since)"] }
    for minimum in identity.minimums.split(separator: ",") { words += ["--minimum", String(minimum)] }
    add("returned", identity.returned)
    add("adjustments", identity.adjustments)
    add("debtor", identity.debtor)
    add("terms", identity.terms)
    if identity.hasNoPayments { words.append("--no-payments") }
    words += ["--output", OutputPlace.shown(FileName.string(directory)), "--republish"]
    return words.map(ShellWord.quoted).joined(separator: " ") + files.joined()
  }
}
