/// The entry points of the fuzzer, and of the tests that replay its corpus.
///
/// Each takes any bytes, and compares the engine's result with another program's, or with the engine's own result by
/// another path.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A stored file: the reader of LZ4 frames compared with liblz4's, in chunks of several lengths.
  case frames
  /// A line: the record scanner compared with the tree of the same text, field by field.
  case records
  /// A line: the verdict and values of the scanner and of the tree, compared with Foundation's JSON readers.
  case json
  /// Decimals separated by spaces: reading, printing and arithmetic, compared with school arithmetic.
  case decimals
  /// A batch file: validated and settled with one thread and several, in chunks of several lengths.
  case batches
  /// A file of requests: imported in both formats, and the batch validated.
  case requests
  /// A NACHA file that a bank sends back, read with a ledger.
  case nacha
  /// XML documents that a bank sends back, pain.002, camt.053 and camt.054.
  case documents
  /// A list of returned payments, made by hand.
  case lists
  /// A terms file, compared with a second reading of its lines.
  case terms

  /// Tries the target on some bytes.
  ///
  /// Crashes, traps and reads outside the bytes' own memory are also findings, but end the process.
  /// - Returns: what is wrong with the engine's result; nil if nothing is.
  public func complaint(about bytes: [UInt8]) -> String? {
    do throws(Disagreement) {
      switch self {
      case .frames: try FrameTarget.check(bytes)
      case .records: try RecordTarget.check(bytes)
      case .json: try JSONTarget.check(bytes)
      case .decimals: try DecimalTarget.check(bytes)
      case .batches: try BatchTarget.check(bytes)
      case .requests: try RequestTarget.check(bytes)
      case .nacha, .documents, .lists: try AnswerTarget.check(bytes)
      case .terms: try TermsTarget.check(bytes)
      }
      return nil
    } catch {
      return error.words
    }
  }
}

/// What is wrong with the engine's result for some bytes.
struct Disagreement: Error {
  let words: String
}

/// Throws if `holds` is false.
func require(_ holds: Bool, _ words: @autoclosure () -> String) throws(Disagreement) {
  if !holds { throw Disagreement(words: words()) }
}

/// Bytes for display: printable ASCII unchanged, all others escaped.
func shown(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16) }.joined()
}
