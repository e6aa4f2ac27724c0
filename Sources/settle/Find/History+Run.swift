import Console
import Failures
import FileSystem
import JSON
import Ledger
import Rules

/// One run with its rules.
extension History {
  func show(run number: Int) throws(Failure) -> Int32 {
    let search = try LedgerReading(path: ledger)
    guard let run = search.history.runs.first(where: { $0.number == number }) else {
      Log.warn(about: search.history)
      Log.error("the ledger has no run \(number)")
      return 1
    }
    let booked = search.order.booked[run.id]!
    let isKept = !run.rules.isEmpty
    switch format {
    case .table: try Terminal.emit([([Self.text(run, booked)] + Self.ruleLines(run)).joined(separator: "\n  ")])
    case .jsonl:
      let rules: [(String, JSONTree)] = [
        ("rules", run.ruleValues.tree), ("rulesKept", .boolean(isKept)),
      ]
      try Terminal.emit([JSONTree.object(Self.fields(run, booked) + rules).description])
    }
    guard let rules else { return 0 }
    guard isKept else {
      Log.error("run \(number) was entered before the ledger kept rules; nothing was written")
      return 1
    }
    try write(search.ruleFiles(of: run), to: rules)
    return 0
  }

  private func write(_ files: [(name: String, text: [UInt8])], to path: String) throws(Failure) {
    let names = files.map(\.name)
    let directory = try PartialDirectory(newOutput: path) { name, _ in names.contains(name) }
    for (name, text) in files {
      let file = try directory.makeFile(name)
      try file.write(text.span)
      try directory.finish(file, folder: nil)
    }
    try directory.publish(exitCode: 0)
  }

  /// The rules for people, one option a line.
  private static func ruleLines(_ run: RunEntry) -> [String] {
    let values = RuleValues(run.identity)
    let heading = run.rules.isEmpty ? "rules, entered before their files were kept:" : "rules:"
    return [heading]
      + RuleOption.allCases.map { option in
        "  \(option.flag) \(option == .fees && run.hasBuiltInFees ? "built in, " : "")\(values[option].shown)"
      }
  }
}
