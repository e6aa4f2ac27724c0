import Failures
import FileSystem
import Glibc
import JSON
import Publication
import SystemPackage

/// Reports that are compared with those of a directory which a run adopts, line by line while they are made
/// (`ledger.md`, "`settle run --adopt`").
///
/// The directory may be of another version: then the messages of `exceptions.csv`, the engine, and keys that its summary
/// does not have are left out of the comparison. Its batch may have been named by another path: of a file's path only
/// the last component is compared.
package final class AdoptedReports: ReportDestination {
  /// A report that is compared.
  package final class Report: ReportWriter {
    fileprivate let name: String
    private let standing: FileReader?
    private var line: [UInt8] = []
    /// The number of the line that is being made.
    private var number = 1
    /// The first line that differs; nil if none does.
    fileprivate private(set) var difference: Int?
    /// The text, of the summary only.
    private var text: [UInt8] = []
    /// Why the directory's file could not be read.
    fileprivate private(set) var failure: Failure?
    private let isSummary: Bool
    /// The places of the columns of which only the last component, or nothing, is compared.
    private var (fileColumn, messageColumn): (Int?, Int?)

    /// - Parameter isOtherVersion: whether another version wrote the directory.
    fileprivate init(_ name: String, in directory: Directory, shown: String, isOtherVersion: Bool) {
      self.name = name
      isSummary = name == ReportKind.summary.fileName
      if name == ReportKind.exceptions.fileName {
        fileColumn = ExceptionsReport.Column.file.place
        messageColumn = isOtherVersion ? ExceptionsReport.Column.message.place : nil
      }
      func unreadable(_ error: Errno) -> Failure { .inputOutput("\(shown)/\(name): cannot be read: \(error)") }
      do throws(Errno) {
        let file = OpenFile(try directory.open(name, O_RDONLY | O_NONBLOCK), shown: name)
        standing = FileReader(file, isHashed: true, failure: unreadable)
      } catch {
        (standing, failure) = (nil, error == .noSuchFileOrDirectory ? nil : unreadable(error))
        difference = 1
      }
    }

    package func write(_ text: Span<UInt8>) {
      if isSummary { self.text.append(text) }
      guard difference == nil, !isSummary else { return }
      var start = 0
      while let feed = text.place(of: UInt8(ascii: "\n"), from: start) {
        line.append(text.extracting(start...feed))
        compare()
        start = feed + 1
      }
      line.append(text.extracting(droppingFirst: start))
    }

    private func compare() {
      guard difference == nil else { return }
      do throws(Failure) {
        let other = try next()
        if other != line, other.map({ isSame(line, $0) }) != true { difference = number }
      } catch {
        (failure, difference) = (error, number)
      }
      number += 1
      line.removeAll(keepingCapacity: true)
    }

    /// The directory's next line with its end; nil after the last.
    private func next() throws(Failure) -> [UInt8]? {
      guard let standing, let line = try standing.line(limit: .max - 1) else { return nil }
      return [UInt8](line.bytes) + (line.hasLineFeed ? [UInt8(ascii: "\n")] : [])
    }

    /// Whether two rows are the same when the folders of the file that they name, and messages of another version, are
    /// left out.
    private func isSame(_ row: [UInt8], _ other: [UInt8]) -> Bool {
      guard let fileColumn else { return false }
      let (left, right) = (Self.fields(row), Self.fields(other))
      guard left.count == right.count, fileColumn < left.count else { return false }
      return left.indices.allSatisfy { place in
        place == fileColumn
          ? Self.lastComponent(left[place]) == Self.lastComponent(right[place])
          : place == messageColumn || left[place] == right[place]
      }
    }

    /// The fields of a row, with their quotes.
    private static func fields(_ row: [UInt8]) -> [ArraySlice<UInt8>] {
      var isQuoted = false
      return row.split(omittingEmptySubsequences: false) { byte in
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        return byte == UInt8(ascii: ",") && !isQuoted
      }
    }

    private static func lastComponent(_ path: ArraySlice<UInt8>) -> [UInt8] {
      let plain = path.filter { $0 != UInt8(ascii: "\"") }
      return Array(plain[(plain.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...])
    }

    fileprivate func finish() {
      guard !isSummary, difference == nil else { return }
      if !line.isEmpty { compare() }
      do throws(Failure) {
        if difference == nil, try next() != nil { difference = number }
      } catch {
        (failure, difference) = (error, number)
      }
    }

    /// The SHA-256 of the directory's file; empty if it lacks that file.
    ///
    /// - Parameter summary: whether a text is the summary of another one.
    fileprivate func digest(_ isSummary: (_ standing: [UInt8], _ text: [UInt8]) -> Bool) throws(Failure) -> String {
      guard let standing else { return "" }
      if self.isSummary, try !isSummary(standing.rest(limit: AdoptedReports.mostBytes) ?? [], text) { difference = 1 }
      try standing.skipRest()
      return standing.finishDigest()
    }
  }

  /// The SHA-256 of each of the directory's files, once they are compared.
  package private(set) var digests: [String: String] = [:]
  private let directory: Directory
  private let shown: String
  private var reports: [Report] = []
  private let isOtherVersion: Bool
  /// Whether the directory's summary has rules without the options that changed them later, or no rules.
  package let areOfEarlierVersion: Bool
  /// The most bytes of a summary.
  private static let mostBytes = 1 << 24

  /// - Parameters:
  ///   - directory: the one to adopt.
  ///   - shown: its path for messages.
  ///   - version: this version, as summaries name it.
  package init(_ directory: Directory, shown: String, version: String) {
    (self.directory, self.shown) = (directory, shown)
    let file = try? OpenFile(directory.open(ReportKind.summary.fileName, O_RDONLY | O_NONBLOCK), shown: shown)
    let summary = try? file?.bytes(atMost: Self.mostBytes)
    let tree = summary.flatMap { try? JSONTree(parsing: $0) }
    isOtherVersion = tree.flatMap(SummaryReport.version).map { $0 != version } ?? false
    areOfEarlierVersion = tree.map { $0["rules"]?["strictTexts"] == nil } ?? false
  }

  package func makeFile(_ name: String) -> Report {
    let report = Report(name, in: directory, shown: shown, isOtherVersion: isOtherVersion)
    reports.append(report)
    return report
  }

  package func finish(_ file: Report, name: String) { file.finish() }

  /// The directory's `SHA256SUMS`. Throws if the directory does not have exactly these reports.
  package func sums() throws(Failure) -> String {
    for report in reports.sorted(by: { $0.name < $1.name }) {
      if let failure = report.failure { throw failure }
      digests[report.name] = try report.digest { isSummary($0, like: $1) }
      if let line = report.difference { throw Self.differs(shown, report.name, line) }
    }
    let sums = DigestList.text(digests)
    guard let name = try SummedFiles(in: directory, sums: sums).difference(shown: shown) else {
      return sums
    }
    throw Self.differs(shown, name, nil)
  }

  private static func differs(_ shown: String, _ name: String, _ line: Int?) -> Failure {
    .unavailable(
      "\(shown): its \(name) differs from this run's\(line.map { " in line \($0)" } ?? ""), and nothing was changed; "
        + "--adopt accepts only reports of the same batch, settled by the same rules after the same runs")
  }

  /// Whether a text is the summary, apart from what another version writes differently and the folders of files.
  private func isSummary(_ standing: [UInt8], like text: [UInt8]) -> Bool {
    guard let old = try? JSONTree(parsing: standing), let new = try? JSONTree(parsing: text) else { return false }
    let names = old["batch"]?["files"]?.elements?.map { $0["name"] } ?? []
    let expected = SummaryReport.comparable(new, with: old, isOtherVersion: isOtherVersion).replacing("batch") {
      batch in
      batch.replacing("files") { files in
        .array(
          (files.elements ?? []).enumerated().map { place, file in
            file.replacing("name") { name in
              guard place < names.count, let standing = names[place], Self.isSameFile(name, standing) else {
                return name
              }
              return standing
            }
          })
      }
    }
    return standing.elementsEqual("\(expected)\n".utf8)
  }

  /// Whether two paths have the same last component.
  private static func isSameFile(_ path: JSONTree, _ other: JSONTree) -> Bool {
    guard case .string(let left) = path, case .string(let right) = other else { return false }
    let slash = UInt8(ascii: "/")
    return left.split(separator: slash).last == right.split(separator: slash).last
  }
}
