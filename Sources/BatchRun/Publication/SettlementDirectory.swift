import BatchFile
import CSystem
import Glibc
import Reports
import Settlement

/// The directory of a settlement's reports: made under another name beside its place, and renamed when it is complete.
///
/// The name is `.NAME.partial`, locked by `flock` while a run is at work on it, so that a second run on the same output
/// ends at once and what a killed one left behind is cleared away by the next.
final class SettlementDirectory {
  /// The files a published directory holds, besides `SHA256SUMS`, in the order of their names.
  static let fileNames = [
    ControlReport.fileName, ExceptionsReport.fileName, ReceiversReport.fileName, SettlementReport.fileName,
    SummaryReport.fileName, TotalsReport.fileName,
  ]
  private static let sumsName = "SHA256SUMS"

  private let target: String
  private let partial: String
  private let replaces: Bool
  private let descriptor: Int32
  private var sums: [String: String] = [:]
  private var isPublished = false

  /// Makes the directory under its other name.
  ///
  /// Throws where the output exists (unless it is to be replaced), its parent does not, or another run holds it.
  init(path: String, replaces: Bool) throws(RunFailure) {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let slash = trimmed.lastIndex(of: "/")
    let name = slash.map { String(trimmed[trimmed.index(after: $0)...]) } ?? trimmed
    let parent = slash.map { $0 == trimmed.startIndex ? "/" : String(trimmed[..<$0]) } ?? "."
    guard !name.isEmpty, name != ".", name != ".." else {
      throw .outputUnavailable("\(Self.shown(path)): is no name for a new directory")
    }
    target = trimmed
    partial = parent == "/" ? "/.\(name).partial" : "\(parent)/.\(name).partial"
    self.replaces = replaces
    try Self.checkParent(parent)
    try Self.checkTarget(trimmed, replaces: replaces)
    descriptor = try Self.open(partial)
    try clear()
  }

  deinit {
    if !isPublished {
      try? clear()
      _ = FileName.withCString(partial) { rmdir($0) }
    }
    close(descriptor)
  }

  // MARK: Making

  private static func shown(_ path: String) -> String { MessageText.escapedName(FileName.bytes(path)) }

  private static func checkParent(_ parent: String) throws(RunFailure) {
    var status = stat()
    guard FileName.withCString(parent, { stat($0, &status) }) == 0 else {
      throw .outputUnavailable("\(shown(parent)): \(SystemError.text(errno)); the output's parent directory must exist")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .outputUnavailable("\(shown(parent)): is no directory; the output's parent directory must exist")
    }
  }

  private static func checkTarget(_ target: String, replaces: Bool) throws(RunFailure) {
    var status = stat()
    guard FileName.withCString(target, { lstat($0, &status) }) == 0 else {
      if errno == ENOENT { return }
      throw .outputUnavailable("\(shown(target)): \(SystemError.text(errno))")
    }
    guard replaces else {
      throw .outputUnavailable("\(shown(target)): exists already; name another output or give --replace")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .outputUnavailable("\(shown(target)): is no directory of reports; --replace leaves it alone")
    }
    let strangers = try names(in: target).filter { !fileNames.contains($0) && $0 != sumsName }
    if let stranger = strangers.sorted().first {
      throw .outputUnavailable(
        "\(shown(target)): holds \(shown(stranger)), which is no report; --replace leaves it alone")
    }
  }

  private static func open(_ partial: String) throws(RunFailure) -> Int32 {
    // A run that ends between the two steps may take the name away; then it is made again.
    for _ in 0..<100 {
      if FileName.withCString(partial, { mkdir($0, 0o700) }) != 0, errno != EEXIST {
        throw .outputUnavailable("\(shown(partial)): cannot be made: \(SystemError.text(errno))")
      }
      let descriptor = FileName.withCString(partial) { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else {
        throw .outputUnavailable("\(shown(partial)): cannot be opened: \(SystemError.text(errno))")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let isHeld = errno == EWOULDBLOCK
        close(descriptor)
        throw isHeld
          ? .busy("\(shown(partial)): another run is at work on this output; wait for it to end")
          : .outputUnavailable("\(shown(partial)): cannot be locked: \(SystemError.text(errno))")
      }
      var opened = stat()
      var named = stat()
      if fstat(descriptor, &opened) == 0, FileName.withCString(partial, { lstat($0, &named) }) == 0,
        opened.st_ino == named.st_ino,
        opened.st_dev == named.st_dev
      {
        return descriptor
      }
      close(descriptor)
    }
    throw .busy("\(shown(partial)): other runs keep taking this output")
  }

  private static func names(in path: String) throws(RunFailure) -> [String] {
    guard let directory = FileName.withCString(path, { opendir($0) }) else {
      throw .outputUnavailable("\(shown(path)): cannot be listed: \(SystemError.text(errno))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes what an interrupted run left, or this one made.
  private func clear() throws(RunFailure) {
    for name in Self.fileNames + [Self.sumsName] where unlinkat(descriptor, name, 0) != 0 && errno != ENOENT {
      throw .outputUnavailable("\(Self.shown(partial))/\(name): cannot be removed: \(SystemError.text(errno))")
    }
  }

  // MARK: Writing

  /// A new file in the directory.
  func makeFile(_ name: String) throws(RunFailure) -> ReportFile {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .inputOutput("\(Self.shown(partial))/\(name): cannot be made: \(SystemError.text(errno))")
    }
    return ReportFile(name: "\(Self.shown(partial))/\(name)", descriptor: file)
  }

  /// Closes a file of the directory and remembers its digest.
  func finish(_ file: ReportFile, name: String) throws(RunFailure) {
    sums[name] = try file.finish()
  }

  /// Writes `SHA256SUMS` and gives the directory its name.
  func publish() throws(RunFailure) {
    precondition(sums.count == Self.fileNames.count, "a settlement directory lacks a report")
    let file = try makeFile(Self.sumsName)
    let text = Array(Self.fileNames.map { "\(sums[$0] ?? "")  \($0)\n" }.joined().utf8)
    try file.write(text, count: text.count)
    _ = try file.finish()
    try rename()
    isPublished = true
  }

  private func rename() throws(RunFailure) {
    // Never over anything: what came to stand there meanwhile stays.
    if Self.call(partial, target, settle_rename_new) == 0 { return }
    guard errno == EEXIST, replaces else {
      let isThere = errno == EEXIST
      let reason = isThere ? "exists already; name another output or give --replace" : SystemError.text(errno)
      throw .outputUnavailable("\(Self.shown(target)): \(reason)")
    }
    // Exchanged in one step, so that there is always one whole directory; the old one is removed under the other name.
    guard Self.call(partial, target, settle_rename_exchange) == 0 else {
      throw .outputUnavailable("\(Self.shown(target)): cannot be replaced: \(SystemError.text(errno))")
    }
    for name in Self.fileNames + [Self.sumsName] { _ = FileName.withCString("\(partial)/\(name)") { unlink($0) } }
    _ = FileName.withCString(partial) { rmdir($0) }
  }

  private static func call(
    _ from: String, _ to: String, _ rename: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    FileName.withCString(from) { from in FileName.withCString(to) { to in rename(from, to) } }
  }
}
