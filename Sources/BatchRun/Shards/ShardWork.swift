import Failures
import FileSystem
import Glibc
import JSON
import Reports
import Synchronization
import SystemPackage
import Text

/// The work directory of a batch in shards, with the results of its steps (`shards.md`).
public final class ShardWork: Sendable {
  let directory: Directory
  let shown: String
  let path: String
  let plan: ShardPlan
  /// Whether all files were compared with their digests elsewhere, and only those that a merge reads are here.
  let isChecked: Bool
  /// The files that were read to the end and found intact, each with its digest.
  let verified = Mutex<Set<String>>([])

  /// Opens the directory of a plan; throws if it has no plan (66), or one of another version of settle (78).
  ///
  /// - Parameter isChecked: whether all files were compared with their digests elsewhere, and only those that a merge
  ///   reads are here.
  public init(_ path: String, isChecked: Bool = false) throws(Failure) {
    self.path = path
    self.isChecked = isChecked
    shown = OutputPlace.shown(path)
    let file = "\(shown)/\(ShardPlan.fileName)"
    do throws(Errno) { directory = try Directory(path: path) } catch {
      throw .unreadable("\(file): cannot be read: \(error); settle shard plan makes it")
    }
    let text: [UInt8]
    do throws(Errno) {
      text = try OpenFile(directory.open(ShardPlan.fileName, O_RDONLY), shown: shown).bytes(atMost: .max - 1)
    } catch {
      throw .unreadable("\(file): cannot be read: \(error); \(Self.planning(again: directory, shown: shown))")
    }
    plan = try ShardPlan(text, shown: file, advice: Self.planning(again: directory, shown: shown))
  }

  /// What to do if the plan is missing or damaged.
  private static func planning(again directory: Directory, shown: String) -> String {
    let names = (try? directory.names()) ?? []
    guard names.contains(where: { isStep($0) || $0 == ShardPlan.fileName }) else { return "settle shard plan makes it" }
    return "plan the batch again with the options that it had, and do all steps: "
      + "\(removal(of: directory, shown: shown)) && settle shard plan BATCH... --work \(ShellWord.quoted(shown))"
  }

  func shown(_ name: String) -> String { "\(shown)/\(name)" }

  /// The shard with a number; throws if it does not exist.
  func shard(_ number: Int) throws(Failure) -> PlannedShard {
    guard plan.shards.indices.contains(number) else {
      throw .usage("the plan has shards 0 to \(plan.shards.count - 1), but no \(number)")
    }
    return plan.shards[number]
  }

  /// How many bytes to read at a time from each shard's file of rows: the more shards, the fewer bytes.
  var rowBufferLength: Int { max(1 << 13, min(1 << 17, (16 << 20) / plan.shards.count)) }

  /// Whether a step is done.
  func stands(_ name: String) -> Bool { (try? directory.status(name)) != nil }

  /// A step that is done; throws if it is not, or if its list of digests is damaged.
  func step(_ name: String) throws(Failure) -> FinishedStep { try FinishedStep(name, in: self) }

  /// Does a step, unless it is done already. What `body` makes gets its name when it is complete. Throws if the step is
  /// done but not whole.
  func make(_ name: String, _ body: (StepDirectory) throws(Failure) -> Void) throws(Failure) {
    if stands(name) { return try expectWhole(name) }
    let step = try StepDirectory(name, in: self)
    try body(step)
    try step.publish()
  }

  /// Removes a step and all that is in it.
  func remove(_ name: String) throws(Failure) {
    do throws(Errno) {
      guard let step = try? directory.directory(name) else { return }
      for file in try step.names() { try step.remove(file) }
      try directory.remove(name, isDirectory: true)
    } catch {
      throw .inputOutput("\(shown(name)): cannot be removed: \(error)")
    }
  }

  /// The names of the steps of shards.
  static func run(_ number: Int) -> String { "run-\(number)" }
  static func hash(_ file: Int) -> String { "hash-\(file)" }
  static func done(_ number: Int, _ level: Int) -> String { "done-\(number)-\(level)" }
  static func verdicts(_ level: Int) -> String { "verdicts-\(level)" }
  static let gather = "gather"
  static let accounts = "accounts"

  /// The file of a shard's `run` with the lines of refunds that later levels judge, one after the other.
  static let refundLines = "refund-lines"

  /// The files of a shard's last step that are parts of reports: first those of payments, then those of refunds.
  static let settlements = [ReportKind.settlement.fileName, "refund-settlement.csv"]
  static let tables = settlements + [ReportKind.exceptions.fileName, ReportKind.refunds.fileName]
}

/// The directory that a step makes. It has the attempt's name until it is complete; any attempt's directory will do.
final class StepDirectory {
  let work: ShardWork
  private let name: String
  private let attempt: String
  private let directory: Directory
  private var digests: [String: String] = [:]
  /// The bytes and rows of each file.
  private var sizes: [String: JSONTree] = [:]
  private var unsynced: [ReportFile] = []
  private let cleanup: Interruption.Cleanup
  private var isPublished = false

  init(_ name: String, in work: ShardWork) throws(Failure) {
    self.work = work
    self.name = name
    let attempt = ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
    self.attempt = attempt
    do throws(Errno) {
      try work.directory.make(attempt)
      directory = try work.directory.directory(attempt)
    } catch {
      throw .inputOutput("\(work.shown(attempt)): cannot be made: \(error)")
    }
    let (parent, made) = (work.directory, directory)
    cleanup = Interruption.Cleanup { Self.remove(attempt, made, from: parent) }
  }

  deinit {
    cleanup.withdraw()
    if !isPublished { Self.remove(attempt, directory, from: work.directory) }
  }

  private static func remove(_ attempt: String, _ directory: Directory, from parent: Directory) {
    for file in (try? directory.names()) ?? [] { try? directory.remove(file) }
    try? parent.remove(attempt, isDirectory: true)
  }

  /// - Parameter isHashedApart: whether its digest may have a thread of its own.
  func makeFile(_ file: String, isHashedApart: Bool = false) throws(Failure) -> ReportFile {
    let shown = work.shown("\(attempt)/\(file)")
    return ReportFile(
      try OpenFile(using(shown, "made", directory.open(file, O_WRONLY | O_CREAT | O_EXCL)), shown: shown),
      countsRows: true, isHashedApart: isHashedApart)
  }

  func finish(_ report: ReportFile, name file: String) {
    digests[file] = report.finish()
    sizes[file] = ["bytes": .number(report.bytes), "rows": .number(report.rows)]
    unsynced.append(report)
  }

  /// Makes a file with a text.
  func write(_ text: [UInt8], to file: String) throws(Failure) { try write(text, count: text.count, to: file) }

  /// Makes a file with these bytes.
  func write(_ bytes: UnsafePointer<UInt8>, count: Int, to file: String) throws(Failure) {
    let report = try makeFile(file)
    try report.write(bytes, count: count)
    finish(report, name: file)
  }

  /// The bytes and rows of the files that may become parts of reports, for `outcome.json`.
  var tables: JSONTree { .object(ShardWork.tables.compactMap { file in sizes[file].map { (file, $0) } }) }

  /// Takes over a file of another step, which has this `outcome.json`: links it, or copies it if that fails.
  func takeOver(_ file: String, of step: FinishedStep, _ outcome: ShardJSON) throws(Failure) {
    let from = "\(step.name)/\(file)"
    let linked = FileName.withCString(from) { from in
      FileName.withCString(file) {
        linkat(work.directory.descriptor.rawValue, from, directory.descriptor.rawValue, $0, 0)
      }
    }
    guard linked != 0 else {
      digests[file] = try step.digest(of: file)
      sizes[file] = outcome.tree["tables"]?[file]
      return
    }
    let (report, source) = (try makeFile(file), try step.open(file))
    while let piece = try source.piece() { try report.write(piece.baseAddress!, count: piece.count) }
    finish(report, name: file)
  }

  /// Gives the directory its name, when all is on disk. If another attempt was first, that one counts.
  func publish() throws(Failure) {
    let sums = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
    try write(Array(sums.utf8), to: FinishedStep.sums)
    for file in unsynced { try file.sync() }
    try Interruption.uninterrupted { () throws(Failure) in
      do throws(Errno) {
        try directory.sync()
        try work.directory.renameNew(attempt, to: name)
      } catch .fileExists {
        return
      } catch .directoryNotEmpty {
        return
      } catch {
        throw .inputOutput("\(work.shown(name)): cannot be made: \(error)")
      }
      isPublished = true
      cleanup.withdraw()
      try using(work.shown, "synced", work.directory.sync())
    }
  }
}

/// A step that is done. Its files are compared with their digests as they are read.
final class FinishedStep {
  static let sums = "SHA256SUMS"
  let work: ShardWork
  let name: String
  /// The SHA-256 of each file, in hexadecimal digits.
  let digests: [String: String]

  init(_ name: String, in work: ShardWork) throws(Failure) {
    self.work = work
    self.name = name
    let shown = work.shown("\(name)/\(Self.sums)")
    func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(work.advice(name))") }
    let text: [UInt8]
    do throws(Errno) {
      text = try OpenFile(work.directory.open("\(name)/\(Self.sums)", O_RDONLY), shown: shown).bytes(atMost: 1 << 24)
    } catch {
      throw .inputOutput("\(shown): cannot be read: \(error); \(work.advice(name))")
    }
    var digests: [String: String] = [:]
    for line in text.split(separator: 0x0A) {
      let parts = String(decoding: line, as: UTF8.self).components(separatedBy: "  ")
      guard parts.count == 2, parts[0].utf8.count == 64 else {
        throw damage("it is not a list of digests")
      }
      digests[parts[1]] = parts[0]
    }
    guard text.last == 0x0A else { throw damage("it was cut short") }
    self.digests = digests
  }

  func digest(of file: String) throws(Failure) -> String {
    guard let digest = digests[file] else {
      throw .inputOutput(
        "\(work.shown("\(name)/\(Self.sums)")): is damaged: it does not name \(file); \(work.advice(name))")
    }
    return digest
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - isChecked: whether it is compared with its digest as it is read; if not, `StepChecks` does it.
  ///   - isHashedApart: whether its digest may have a thread of its own.
  func open(
    _ file: String, bufferLength: Int = 1 << 16, isChecked: Bool = true, isHashedApart: Bool = false
  ) throws(Failure) -> StepReader {
    let digest = try digest(of: file)
    return StepReader(
      work, "\(name)/\(file)", digest: isChecked ? digest : nil, bufferLength: bufferLength,
      isHashedApart: isHashedApart)
  }

  func contents(_ file: String) throws(Failure) -> [UInt8] {
    let reader = try open(file)
    var bytes: [UInt8] = []
    while let piece = try reader.piece() { bytes += piece }
    return bytes
  }

  func json(_ file: String) throws(Failure) -> ShardJSON {
    try ShardJSON(
      contents(file), shown: work.shown("\(name)/\(file)"), plan: work.plan.digest, advice: work.advice(name))
  }

  /// Whether this process has compared a file with its digest already.
  func isVerified(_ file: String) -> Bool {
    work.verified.withLock { $0.contains("\(name)/\(file)" + (digests[file] ?? "")) }
  }

  /// Reads a file to compare it with its digest.
  func verify(_ file: String) throws(Failure) {
    let reader = try open(file, bufferLength: 1 << 18)
    while try reader.piece() != nil {}
  }
}
