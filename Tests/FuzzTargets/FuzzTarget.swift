/// The entry points of the fuzzer, and of the tests that replay its corpus.
///
/// Each takes any bytes at all and holds what the engine makes of them against somebody else's judgement, or against
/// what the engine makes of them in another way.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A stored file: the reader of LZ4 frames against liblz4's own, in chunks of several lengths.
  case frames
  /// A line: the record scanner against the tree of the same text, field by field.
  case records
  /// A line: the verdict and the values of the scanner and of the tree against Foundation's JSON readers.
  case json
  /// Decimals in spaces: reading, printing and arithmetic against what is taught in school.
  case decimals
  /// A batch file: validated and settled with one thread and several, in chunks of several lengths.
  case batches
  /// A file of requests: imported in both formats, the batch validated.
  case requests

  /// Tries the target on some bytes.
  ///
  /// A crash, a trap and a read outside the bytes' own memory are findings, too, but end the process.
  /// - Returns: what is wrong with what the engine made of them; nil where nothing is.
  public func complaint(about bytes: [UInt8]) -> String? {
    do throws(Disagreement) {
      switch self {
      case .frames: try FrameTarget.check(bytes)
      case .records: try RecordTarget.check(bytes)
      case .json: try JSONTarget.check(bytes)
      case .decimals: try DecimalTarget.check(bytes)
      case .batches: try BatchTarget.check(bytes)
      case .requests: try RequestTarget.check(bytes)
      }
      return nil
    } catch {
      return error.words
    }
  }
}

/// What is wrong with what the engine made of some bytes.
struct Disagreement: Error {
  let words: String
}

/// Finds fault where `holds` is false.
func require(_ holds: Bool, _ words: @autoclosure () -> String) throws(Disagreement) {
  if !holds { throw Disagreement(words: words()) }
}

/// Bytes for a person: printable ASCII as it is, all others escaped.
func shown(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16) }.joined()
}
