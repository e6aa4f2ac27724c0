import BatchRun
import Glibc

/// Holds `SHA256SUMS` against the digests of the files beside it.
package struct SumsAudit {
  private let log: FindingLog
  /// The digests by name, sorted; nil where a file is not there.
  private let digests: [(name: String, digest: String?)]

  /// - Parameter digests: every other file of the directory with its SHA-256; nil where it is not there.
  package init(_ digests: [(name: String, digest: String?)], _ log: FindingLog) {
    self.digests = digests.sorted { $0.name < $1.name }
    self.log = log
  }

  /// Goes through the file: a line for each other file, in the order of the names, and no other.
  package func audit(_ lines: ReportLines) throws(RunFailure) {
    var next = 0
    while try lines.next() {
      guard lines.isProperLine(log), let sum = sum(lines) else { continue }
      guard let place = digests.firstIndex(where: { $0.name == sum.name }) else {
        log.add(lines.finding("names a file that is no report"))
        continue
      }
      if place < next {
        log.add(
          ReportFinding(
            lines.name, line: lines.number, field: "the name", found: sum.name, "stands twice, or out of order"))
        continue
      }
      for missing in digests[next..<place] { complain(lines, of: missing) }
      next = place + 1
      if let digest = digests[place].digest, digest != sum.digest {
        log.add(
          ReportFinding(
            lines.name, line: lines.number, field: "the digest of \(sum.name)", found: sum.digest, expected: digest,
            "the file's own SHA-256"))
      }
    }
    for missing in digests[next...] { complain(lines, of: missing) }
  }

  private func complain(_ lines: ReportLines, of missing: (name: String, digest: String?)) {
    log.add(
      ReportFinding(
        lines.name, expected: "\(missing.digest ?? "a digest")  \(missing.name)",
        "the line of \(missing.name) is missing"))
  }

  /// Digest and name of a line as `sha256sum` writes it; nil, and a finding, where it is none.
  private func sum(_ lines: ReportLines) -> (name: String, digest: String)? {
    let line = String(decoding: lines.bytes, as: UTF8.self)
    guard let parts = line.wholeMatch(of: /([0-9a-f]{64})  ([0-9A-Za-z.]+)/) else {
      log.add(
        ReportFinding(
          lines.name, line: lines.number, field: "the line", found: ShownField.text(lines.bytes),
          expected: "64 hexadecimal digits, two spaces and a name", "as sha256sum writes it"))
      return nil
    }
    return (String(parts.2), String(parts.1))
  }
}
