import Crypto
import FileSystem
import Glibc
import JSON
import Reports
import Text

/// Reports of which only the digests are wanted, and the summary.
final class DigestedReports: DividedDestination {
  final class Report: ReportWriter {
    fileprivate var digest = SHA256()
    fileprivate var text: [UInt8]?

    func write(_ bytes: UnsafePointer<UInt8>, count: Int) {
      let bytes = UnsafeBufferPointer(start: bytes, count: count)
      digest.update(bufferPointer: UnsafeRawBufferPointer(bytes))
      text?.append(contentsOf: bytes)
    }
  }

  var digests: [String: String] = [:]
  private var summary: [UInt8] = []

  func makeFile(_ name: String) -> Report {
    let report = Report()
    if name == ReportKind.summary.fileName { report.text = [] }
    return report
  }

  func makeFolder(_ name: String) {}

  func finish(_ file: Report, name: String) {
    digests[name] = Hexadecimal.text(file.digest.finalize())
    if let text = file.text { summary = text }
  }

  /// The `SHA256SUMS` of a directory that holds these very reports, as this version or an earlier one wrote them: its
  /// summary may name another engine, and lack the rules. Throws if it holds anything else.
  func sums(of directory: Directory, shown: String) throws(RunFailure) -> String {
    var digests = digests
    if let standing = try? OpenFile(directory.open(ReportKind.summary.fileName, O_NONBLOCK), shown: shown).bytes(
      atMost: 1 << 24),
      isSummary(standing)
    {
      digests[ReportKind.summary.fileName] = Hexadecimal.text(SHA256.hash(data: standing))
    }
    let sums = ReportKind.sumsText(digests)
    guard let name = KnownReports(in: directory, sums: sums).difference else { return sums }
    throw .outputUnavailable(
      "\(shown): its \(name) is not the one that this run makes, and nothing was changed; --adopt takes the reports of "
        + "the same batch, settled by the same rules after the same runs")
  }

  /// Whether a text is the summary, the engine and rules that it lacks aside.
  private func isSummary(_ standing: [UInt8]) -> Bool {
    guard let old = try? JSONTree(parsing: standing), case .object(let fields) = try? JSONTree(parsing: summary) else {
      return false
    }
    let expected = fields.filter { !$0.name.elementsEqual("rules".utf8) || old["rules"] != nil }.map { name, value in
      (name: name, value: name.elementsEqual("engine".utf8) ? old["engine"] ?? value : value)
    }
    return standing.elementsEqual("\(JSONTree.object(expected))\n".utf8)
  }
}
