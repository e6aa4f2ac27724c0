import Failures
import FileSystem
import SystemPackage
import Text

/// How the steps of a work directory whose files are missing or damaged are done again: any attempt's result will do, so
/// a step is removed and its command repeated.
extension ShardWork {
  /// What a step's command is, in the order in which steps are done; nil if settle has no command for it.
  private func command(_ step: String) -> (order: Int, words: String?) {
    let parts = step.split(separator: "-").map(String.init)
    let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    // Only another program has the bytes of files that are elsewhere.
    let input = plan.files.first?.path == nil ? " --input -" : ""
    switch parts[0] {
    case "hash": return (0, "settle shard hash \(number)\(input)")
    case "run": return (1, "settle shard run \(number)\(input)")
    case "gather": return (2, "settle shard gather")
    case "verdicts": return (3 + 2 * number, "settle shard claims --level \(number)")
    case "done":
      let level = parts.count > 2 ? Int(parts[2]) ?? 0 : 0
      return (4 + 2 * level, "settle shard finish \(number) --level \(level)\(input)")
    default: return (9, nil)
    }
  }

  /// The commands that do steps again; those that stand are removed first.
  func repair(_ steps: [String]) -> String {
    let commands = steps.map { (name: $0, command: command($0)) }
      .sorted { ($0.command.order, $0.name) < ($1.command.order, $1.name) }
    let standing = commands.map(\.name).filter(stands)
    let removal = standing.isEmpty ? [] : ["rm -r " + standing.map(word).joined(separator: " ")]
    let work = ShellWord.quoted(shown)
    return (removal + commands.compactMap { $0.command.words.map { "\($0) --work \(work)" } }).joined(separator: " && ")
  }

  private func word(_ step: String) -> String { ShellWord.quoted(shown(step)) }

  /// What to do about a step that is missing or damaged.
  func advice(_ step: String) -> String {
    let repair = repair([step])
    return "do that step \(stands(step) ? "again" : "first")\(repair.isEmpty ? "" : ": \(repair)")"
  }

  /// What to do about a damaged file of a step. A step takes over files of an earlier one, so all that share it are
  /// done again.
  ///
  /// - Parameter digest: the SHA-256 that the file should have.
  func advice(_ step: String, file: String, digest: String) -> String {
    func inode(_ step: String) -> Inode? { (try? directory.status("\(step)/\(file)"))?.inode }
    let own = inode(step)
    let steps = ((try? directory.names()) ?? []).filter { other in
      other == step
        || !other.hasPrefix(".") && own != nil && inode(other) == own
          && (try? self.step(other))?.digests[file] == digest
    }
    guard steps.count > 1 else { return advice(step) }
    return "\(steps.count) steps share it; do them again: \(repair(steps))"
  }

  /// Reads files of steps. If it fails and a file of these steps is damaged, the failure names that file: what is read
  /// from another one may only then seem wrong.
  func reading<Result>(
    _ steps: [String], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) { return try body() } catch {
      guard error.exitCode == Failure.Kind.inputOutput.exitCode else { throw error }
      for name in steps {
        let step = try step(name)
        // Another program may bring only those files that are read.
        for file in step.digests.keys.sorted() where stands("\(name)/\(file)") { try step.verify(file) }
      }
      throw error
    }
  }

  /// Throws if a step that stands is not whole: its list of digests or a file in it is missing.
  func expectWhole(_ name: String) throws(Failure) {
    if isChecked { return }
    for file in try step(name).digests.keys.sorted() where !stands("\(name)/\(file)") {
      throw .inputOutput(
        "\(shown("\(name)/\(file)")), which \(shown("\(name)/\(FinishedStep.sums)")) names: is missing; "
          + advice(name))
    }
  }

  /// How to make a work directory without a readable plan empty again: its steps belong to the lost plan.
  static func removal(of directory: Directory, shown: String) -> String {
    let steps = ((try? directory.names()) ?? []).filter { isStep($0) || $0 == ShardPlan.fileName }
    let kinds = Set(steps.map { $0.contains("-") ? "\($0.prefix { $0 != "-" })-*" : $0 }).sorted()
    return "rm -r " + kinds.map { "\(ShellWord.quoted(shown))/\($0)" }.joined(separator: " ")
  }

  /// Whether a name is that of a step.
  static func isStep(_ name: String) -> Bool {
    name.wholeMatch(of: /gather|accounts|(hash|run|verdicts)-[0-9]+|done-[0-9]+-[0-2]/) != nil
  }
}
