import Failures
import FileSystem

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
  /// Sends a line to the program and returns its answer.
  let ask: (String) throws(Failure) -> String

  init(uri: String, ask: @escaping (String) throws(Failure) -> String) {
    self.uri = uri
    self.ask = ask
  }

  /// - Parameter tell: sends a line to the program.
  public convenience init(uri: String, tell: @escaping ShardWork.Output) {
    let answers = StandardInputReader()
    self.init(uri: uri) { line throws(Failure) in
      try tell((line + "\n").utf8Span.span)
      guard let answer = try answers.line() else {
        throw .inputOutput("standard input: ended before the answer to this line: \(line)")
      }
      return String(decoding: answer)
    }
  }

  /// What a ledger keeps of it in the meantime: the URI and the plan. Only the plan's work directory may complete it.
  func attempt(_ plan: ShardPlan) -> [UInt8] { Array("\(uri)#\(plan.digest)".utf8) }
}
