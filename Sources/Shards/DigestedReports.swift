import Documents
import Digests

/// Reports that are only digested.
final class DigestedReports: DividedDestination {
  final class Report: ReportWriter {
    fileprivate var digest = SHA256()

    func write(_ text: Span<UInt8>) { digest.update(text) }
  }

  var digests: [String: String] = [:]

  func makeFile(_ name: String) -> Report { Report() }

  func makeFolder(_ name: String) {}

  func finish(_ file: Report, name: String) {
    digests[name] = file.digest.finalize().hexadecimal
  }
}
