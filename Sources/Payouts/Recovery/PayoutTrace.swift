import Failures
import FileSystem
import Glibc
import JSON
import Ledger
import Documents
import SystemPackage

/// A payout's directory, found where the engine looks for traces of payouts that a ledger may lack.
struct PayoutTrace {
  /// The payout's number.
  let number: Int
  /// The name of the ledger that made it, as its files say; older versions changed the digits.
  let ledger: String
  /// What distinguishes the directory from another payout's.
  let digest: DirectoryDigest
  /// The directory, as messages and commands show it.
  let shown: String
  /// Whether it is directly in the first folder that was looked at.
  let isNear: Bool
}

/// The directories of payouts in some folders, and one level up.
struct PayoutTraces {
  /// All directories except those whose `SHA256SUMS` the ledger has, by number, then in the order found.
  private(set) var found: [PayoutTrace] = []
  /// Directories that could not be opened.
  private(set) var warnings: [String] = []
  private let known: Set<String>

  /// Why a directory cannot be taken.
  private enum Fault: Error {
    /// A file of it cannot be looked at or read.
    case system(Errno, file: String)
    /// Its `payouts.json` is not one.
    case namesNoPayout
    /// It is a payout's, and has no `payouts.json`.
    case lacksSummary
  }

  /// A file's device and inode.
  private struct FileIdentity: Hashable {
    let (device, inode): (UInt64, UInt64)

    init(_ status: Stat) {
      (device, inode) = (UInt64(status.deviceID.rawValue), UInt64(status.inode.rawValue))
    }
  }

  /// Looks in folders, then in the siblings of each folder on the same file system.
  ///
  /// - Parameters:
  ///   - folders: paths; one that does not exist is left out.
  ///   - known: the `SHA256SUMS` of the payouts that the ledger has.
  init(in folders: [String], known: Set<String>) throws(Failure) {
    self.known = known
    var (looked, uppers) = (Set<FileIdentity>(), Set<FileIdentity>())
    // The payouts of a ledger have the same parent, as a rule.
    var named = Set<String>()
    let distinct = folders.filter { named.insert($0).inserted }
    for folder in distinct {
      guard let directory = try? Directory(path: folder), let status = try? Stat(directory.descriptor),
        looked.insert(FileIdentity(status)).inserted
      else { continue }
      try look(in: directory, folder, isNear: folder == folders.first)
    }
    for folder in distinct {
      let above = FilePath(folder).appending("..").string
      guard let upper = try? Directory(path: above), let status = try? Stat(upper.descriptor),
        uppers.insert(FileIdentity(status)).inserted, let names = try? upper.names(ofFolders: true)
      else { continue }
      for name in names.sorted() where !Self.isPublishing(name) {
        guard let sibling = try? upper.directory(name), let own = try? Stat(sibling.descriptor),
          own.deviceID == status.deviceID, looked.insert(FileIdentity(own)).inserted
        else { continue }
        try lookLeniently(in: sibling, Self.path(beside: folder, name))
      }
    }
    found.sort { $0.number < $1.number }
  }

  /// The path of a sibling of a folder.
  private static func path(beside folder: String, _ name: String) -> String {
    var parts = FilePath(folder)
    parts.removeLastComponent()
    let (lexical, real) = (parts.isEmpty ? "." : parts.string, FilePath(folder).appending("..").string)
    guard FilePath(folder).lastComponent?.kind == .regular, OutputPlace.isSame(lexical, real) else {
      // The folder is a link, or its path does not name it.
      return FilePath((try? FileName.resolved(real)) ?? real).appending(name).string
    }
    return parts.isEmpty ? name : parts.appending(name).string
  }

  private mutating func look(in folder: Directory, _ path: String, isNear: Bool) throws(Failure) {
    let names: [String]
    do throws(Errno) {
      names = try folder.names(ofFolders: true)
    } catch {
      throw .inputOutput("\(OutputPlace.shown(path)): cannot be read: \(error)")
    }
    for name in names.sorted() where !Self.isPublishing(name) {
      let directory = Self.shown(path, name)
      do throws(Fault) {
        try look(at: name, in: folder, shown: directory, isNear: isNear)
      } catch {
        if case .system(.permissionDenied, _) = error, (try? folder.directory(name)) == nil {
          warnings.append("\(directory): cannot be opened: \(Errno.permissionDenied); it was not looked at for payouts")
        } else {
          throw Self.failure(directory, error)
        }
      }
    }
  }

  /// Leaves out what cannot be opened or read.
  private mutating func lookLeniently(in folder: Directory, _ path: String) throws(Failure) {
    for name in ((try? folder.names(ofFolders: true)) ?? []).sorted() where !Self.isPublishing(name) {
      let directory = Self.shown(path, name)
      for attempt in 1...Self.attempts {
        do throws(Fault) {
          try look(at: name, in: folder, shown: directory, isNear: false)
          break
        } catch {
          guard case .lacksSummary = error else { break }
          if attempt == Self.attempts { throw Self.failure(directory, error) }
          // Someone may be removing or copying it at this moment.
          usleep(100_000)
        }
      }
    }
  }

  private static let attempts = 20

  private static func failure(_ directory: String, _ fault: Fault) -> Failure {
    let summary = PayoutReport.summary.fileName
    switch fault {
    case .system(let error, let file): return .inputOutput("\(directory)/\(file): cannot be read: \(error)")
    case .namesNoPayout:
      return .inputOutput(
        "\(directory)/\(summary): names no payout; put it back as it was published, or move the directory away")
    case .lacksSummary:
      return .inputOutput(
        "\(directory): is a payout's, and has no \(summary), so that no one knows which payout it is. Put the directory "
          + "back as it was published, or move it away if it is not a payout")
    }
  }

  /// Whether a directory is one that a publication makes, and that no one has seen yet.
  private static func isPublishing(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".partial") }

  private static func shown(_ folder: String, _ name: String) -> String {
    OutputPlace.shown(folder == "." ? name : FilePath(folder).appending(name).string)
  }

  /// Takes a directory if it is a payout's.
  private mutating func look(at name: String, in folder: Directory, shown: String, isNear: Bool) throws(Fault) {
    let summaryName = PayoutReport.summary.fileName
    func has(_ file: String) throws(Fault) -> Bool {
      do throws(Errno) { return try folder.has("\(name)/\(file)") } catch { throw .system(error, file: file) }
    }
    func text(_ file: String) throws(Fault) -> [UInt8]? {
      do throws(Errno) {
        return try Self.text("\(name)/\(file)", in: folder)
      } catch {
        throw .system(error, file: file)
      }
    }
    let hasSummary = try has(summaryName)
    let sums = try text(ReportKind.sums) ?? []
    let sumsText = String(decoding: sums, as: UTF8.self)
    if !sums.isEmpty, known.contains(sumsText) { return }
    guard hasSummary else {
      guard try has(PayoutReport.payouts.fileName) || sumsText.contains("  \(summaryName)\n") else { return }
      throw .lacksSummary
    }
    guard let summary = try text(summaryName), let payout = (try? JSONTree(parsing: summary))?["payout"],
      let number = payout["number"]?.count, let ledger = payout["ledger"]?.string
    else { throw .namesNoPayout }
    found.append(
      PayoutTrace(
        number: number, ledger: ledger, digest: DirectoryDigest(sums: sumsText), shown: shown, isNear: isNear))
  }

  /// The content of a file; nil if there is no such file.
  private static func text(_ path: String, in folder: Directory) throws(Errno) -> [UInt8]? {
    do throws(Errno) {
      let file = OpenFile(try folder.open(path, O_RDONLY | O_NONBLOCK), shown: path)
      return try file.bytes(atMost: 1 << 24)
    } catch {
      if [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error) { return nil }
      throw error
    }
  }
}
