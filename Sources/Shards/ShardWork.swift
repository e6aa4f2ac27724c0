import Failures
import FileSystem
import Glibc
import Documents
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

  /// How to plan the batch again, and do all steps.
  var replanning: String { Self.planning(again: directory, shown: shown) }

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
  static let fees = [ReportKind.fees.fileName, "refund-fees.csv"]
  static let tables = settlements + fees + [ReportKind.exceptions.fileName, ReportKind.refunds.fileName]
}
