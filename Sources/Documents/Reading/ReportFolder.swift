import Failures
import FileSystem
import Glibc
import SystemPackage

/// A settlement directory as it is: its names, and its files, opened so that nothing can be substituted for them.
package final class ReportFolder: Sendable {
  /// The maximum number of names that are looked at: a settlement directory has seven.
  private static let mostNames = 1000

  private let directory: Directory
  private let files: any ReportSet.Type
  private let shownPath: String
  /// The manifest of reports in parts; nil if they are files, or if it cannot be read.
  private let manifest: PartsManifest?

  /// Opens a directory; throws if it does not exist, or it cannot be opened.
  ///
  /// - Parameter files: what it should hold.
  package init(path: String, of files: any ReportSet.Type = ReportKind.self) throws(Failure) {
    self.files = files
    shownPath = OutputPlace.shown(path)
    do throws(Errno) {
      directory = try Directory(path: path)
    } catch {
      throw .unreadable("\(shownPath): cannot open the directory: \(error)")
    }
    manifest = PartsManifest(directory)
  }

  /// The names in the directory as bytes, sorted; if there are very many, only some of them.
  ///
  /// - Parameter expected: how many files it should have in addition to a few reports.
  package func names(expected: Int = 0) throws(Failure) -> [[UInt8]] {
    do throws(Errno) {
      let names = try directory.names(atMost: Self.mostNames + expected).map(FileName.bytes)
      return names.sorted { $0.lexicographicallyPrecedes($1) }
    } catch {
      throw .unreadable("\(shownPath): cannot be listed: \(error)")
    }
  }

  /// Whether the large reports are folders of parts.
  package var isInParts: Bool { (try? directory.status(ReportLayout.manifest)) != nil }

  /// The files that only a directory in parts has.
  package var filesOfParts: [String] {
    guard isInParts else { return [] }
    return [ReportLayout.manifest] + (manifest?.namesClaim == true ? [ReportLayout.claim] : [])
  }

  /// The files in the folders of parts that the manifest does not name, at most a thousand of each folder.
  package var unnamedParts: [String] {
    guard let manifest else { return [] }
    return ReportKind.folders.flatMap { folder in
      let known = Set(manifest[folder])
      let names = (try? directory.directory(folder).names(atMost: Self.mostNames + known.count)) ?? []
      return names.filter { !known.contains($0) }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// Whether it has anything with the name of a report.
  package var hasReports: Bool {
    get throws(Failure) { try hasAny(of: ReportKind.allFileNames + ReportKind.folders) }
  }

  /// Whether it has a file of a payout, or one with the name of such a file.
  package var hasPayout: Bool {
    get throws(Failure) { try hasAny(of: PayoutReport.allCases.map(\.fileName)) }
  }

  /// Whether it has a file that only a directory of answers has.
  package var hasAnswers: Bool {
    get throws(Failure) {
      try hasAny(of: [AnswerReport.answers, .changes, .summary].map(\.fileName))
    }
  }

  private func hasAny(of names: [String]) throws(Failure) -> Bool {
    do throws(Errno) { return !Set(try directory.names()).isDisjoint(with: names) } catch {
      throw .unreadable("\(shownPath): cannot be listed: \(error)")
    }
  }

  /// The names of a folder's parts in their order, by the manifest; nil if there is no such folder.
  private func parts(of folder: String) throws(Failure) -> [String]? {
    if let manifest { return manifest[folder] }
    guard let parts = try? directory.directory(folder) else { return nil }
    do throws(Errno) {
      // The header comes before the parts. These are sorted by number: one of more than five digits is longer.
      return try parts.names().sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        .sorted { $0.hasPrefix("_") && !$1.hasPrefix("_") }
    } catch {
      throw .unreadable("\(shownPath)/\(folder): cannot be listed: \(error)")
    }
  }

  /// Opens a report to be read front to back; nil, with a finding, if it does not exist or is not a regular file.
  ///
  /// - Parameter isHashed: whether the digests of its files are wanted.
  package func open(_ name: String, _ log: FindingLog, isHashed: Bool = true) throws(Failure) -> ReportLines? {
    try parts(of: name, log).map {
      ReportLines(
        name: name, columns: files.columns(of: name), parts: $0, in: directory, shownPath: shown(name),
        isHashed: isHashed)
    }
  }

  /// Opens a report for reading at any offset; nil, with a finding, if it does not exist or is not a regular file.
  func bytes(of name: String, _ log: FindingLog) throws(Failure) -> ReportBytes? {
    try parts(of: name, log).map { ReportBytes(parts: $0, in: directory, shownPath: shown(name)) }
  }

  private func shown(_ name: String) -> String { "\(shownPath)/\(name)" }

  private func parts(of name: String, _ log: FindingLog) throws(Failure) -> [ReportPart]? {
    if let folder = ReportKind(rawValue: name)?.folder, let parts = try parts(of: folder) {
      var files: [ReportPart] = []
      for part in parts {
        let path = "\(folder)/\(part)"
        guard let status = (try? directory.status(path)), status.type == .regular else {
          log.add(path, "is not a regular file")
          return nil
        }
        files.append(ReportPart(name: path, status: status))
      }
      return files
    }
    do throws(Errno) {
      // Do not block: opening a pipe that is in place of a file would wait forever.
      let file = OpenFile(try directory.open(name, O_RDONLY | O_NONBLOCK), shown: name)
      let status = try Stat(file.descriptor)
      guard status.type == .regular else { throw Errno.noSuchAddressOrDevice }
      return [ReportPart(name: name, status: status, file: file)]
    } catch {
      switch error {
      case .noSuchFileOrDirectory: log.add(name, "is missing")
      case .tooManySymbolicLinkLevels: log.add(name, "is a symbolic link; a report is a file of its own")
      case .noSuchAddressOrDevice, .operationNotSupportedByDevice: log.add(name, "is not a regular file")
      default: throw .unreadable("\(shownPath)/\(name): cannot be opened: \(error)")
      }
      return nil
    }
  }
}
