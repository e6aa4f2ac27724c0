import Failures
import FileSystem
import SystemPackage

/// Publishes reports at a URI through another program: sends it lines, and reads the answer to each line from standard
/// input.
///
/// | line | done before the answer | answer |
/// |---|---|---|
/// | `reports stand?` | | `yes` or `no` |
/// | `upload parts` | the parts that the manifest names are at the URI, which had no other reports | `done` |
/// | `upload manifest` | so is everything else, the manifest last: now the reports exist | `done` |
public final class RemotePublication {
  /// Where the reports are published.
  public let uri: String
  /// The file with the claim of that place.
  private let claim: String?
  /// If the batch was gathered again, the least number of parts of `receivers.csv`. Then all parts are named, also those
  /// without rows: so a late writer of an earlier gathering finds no name that is free.
  let accountParts: Int?
  private let ask: (Line) throws(Failure) -> String

  /// A line for the program.
  enum Line: String {
    case reports = "reports stand?"
    case parts = "upload parts"
    case manifest = "upload manifest"
  }

  /// - Parameter ask: sends a line to the program and returns its answer.
  init(
    uri: String, claim: String? = nil, accountParts: Int? = nil, ask: @escaping (Line) throws(Failure) -> String
  ) {
    self.uri = uri
    self.claim = claim
    self.accountParts = accountParts
    self.ask = ask
  }

  /// - Parameters:
  ///   - claim: the file with the claim of that place.
  ///   - accountParts: the least number of parts of `receivers.csv`, if the batch was gathered again.
  ///   - tell: sends a line to the program.
  public convenience init(uri: String, claim: String?, accountParts: Int?, tell: @escaping ShardWork.Output) {
    let answers = StandardInputReader()
    self.init(uri: uri, claim: claim, accountParts: accountParts) { line throws(Failure) in
      try tell((line.rawValue + "\n").utf8Span.span)
      guard let answer = try answers.line() else {
        throw .inputOutput("standard input: ended before the answer to this line: \(line.rawValue)")
      }
      return String(decoding: answer)
    }
  }

  /// Whether the reports are at the URI.
  func hasReports() throws(Failure) -> Bool { try ask(.reports) == "yes" }

  /// Has the parts of the reports uploaded.
  func uploadParts() throws(Failure) { _ = try ask(.parts) }

  /// Has everything else uploaded, the manifest last.
  func uploadManifest() throws(Failure) { _ = try ask(.manifest) }

  /// The claim, if there is one; throws if it cannot be read (74), or is not that of the plan (78).
  func claim(of plan: ShardPlan) throws(Failure) -> OutputClaim? {
    guard let claim else { return nil }
    let shown = OutputPlace.shown(claim)
    let text: [UInt8]
    do throws(Errno) { text = try OpenFile(reading: claim, waits: false).bytes(atMost: 1 << 16) } catch {
      throw .inputOutput("\(shown): cannot be read: \(error)")
    }
    return try OutputClaim(text, shown: shown, plan: plan.digest)
  }

  /// What a ledger keeps of it in the meantime: the URI and the plan. Only the plan's work directory may complete it.
  func attempt(_ plan: ShardPlan) -> [UInt8] { Array("\(uri)#\(plan.digest)".utf8) }
}
