import Digests
import FileSystem
import Glibc
import JSON
import Reports
import SystemPackage

/// Reports that are only digested, except the summary, whose text is kept.
final class DigestedReports: DividedDestination {
  final class Report: ReportWriter {
    fileprivate var digest = SHA256()
    fileprivate var text: [UInt8]?

    func write(_ bytes: UnsafePointer<UInt8>, count: Int) {
      digest.update(bytes, count: count)
      text?.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
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
    digests[name] = file.digest.finalize().hexadecimal
    if let text = file.text { summary = text }
  }

  /// The `SHA256SUMS` of a directory that contains exactly these reports, as this version or an earlier one wrote them:
  /// its summary may name another engine, and lack the rules. Throws if it contains anything else.
  func sums(of directory: Directory, shown: String) throws(RunFailure) -> String {
    var digests = digests
    let name = ReportKind.summary.fileName
    do throws(Errno) {
      let file = OpenFile(try directory.open(name, O_NONBLOCK), shown: shown)
      let standing = try file.bytes(atMost: 1 << 24)
      if isSummary(standing) { digests[name] = SHA256.digest(of: standing).hexadecimal }
    } catch  where error != .noSuchFileOrDirectory {
      throw .inputOutput("\(shown)/\(name): cannot be read: \(error)")
    } catch {}
    let sums = ReportKind.sumsText(digests)
    guard let name = try asRunFailure(KnownReports(in: directory, sums: sums).difference(shown: shown)) else {
      return sums
    }
    throw .outputUnavailable(
      "\(shown): its \(name) differs from this run's, and nothing was changed; --adopt accepts only reports of "
        + "the same batch, settled by the same rules after the same runs")
  }

  /// Whether a text is the summary, ignoring the engine, and the rules if they are missing.
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
