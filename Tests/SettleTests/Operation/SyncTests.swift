import Foundation
import TestSupport
import Testing

/// What a command does to files, in the order of its system calls.
@Suite("A file or directory is completely on the disk before it gets its name; then its name is synced")
struct SyncTests {
  /// A call as `SystemCallRecorder` writes it; paths are absolute.
  private struct Call {
    let name: Substring
    let path: String
    let to: String

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      (name, path, to) = (fields[0], String(fields[1]), String(fields[2]))
    }
  }

  /// Commands, those that run before in the same folder, and what the last one makes.
  static let commands: [(before: String, command: String, output: String)] = [
    ("true", "run good.jsonl --output out", "out"),
    ("true", "run good.jsonl bad.jsonl --output out --threads 3", "out"),
    ("$SETTLE run bad.jsonl --output out", "run good.jsonl --output out --replace", "out"),
    ("true", "run good.jsonl --output out --ledger ledger", "out"),
    ("$SETTLE run bad.jsonl --output old --ledger ledger", "run good.jsonl --output out --ledger ledger", "out"),
    (
      "$SETTLE run good.jsonl --output old --ledger ledger",
      "run good.jsonl --output out --ledger ledger --republish", "out"
    ),
    ("true", "statement good.jsonl --all-accounts --format csv --date 2026-11-20 --output made", "made"),
    ("true", "statement good.jsonl --all-accounts --format stl --date 2026-11-20 --output made", "made"),
    ("true", "statement good.jsonl --all-accounts --format stl --date 2026-11-20 --output made.tar", "made.tar"),
    ("true", "journal good.jsonl --format ledger --date 2026-11-20 --output made", "made"),
    (
      #"sed 's/{/{"ipnUrl":"https:\/\/shop.example",/' good.jsonl >told.jsonl && $SETTLE run told.jsonl --output out"#,
      "notify out told.jsonl --output made", "made"
    ),
    ("$SETTLE run good.jsonl --output out", "report out --html made.html", "made.html"),
    ("true", "generate --payments 9 --seed 1 --output made.jsonl", "made.jsonl"),
    ("true", "generate --payments 9 --seed 1 --output made.lz4", "made.lz4"),
    ("true", "import pay.txt --format adaptive-nvp --output made", "made"),
    ("$SETTLE run good.jsonl --output out --ledger ledger", "ledger backup ledger made", "made"),
    ("$SETTLE shard plan good.jsonl --work work --shards 1", "shard run 0 --work work", "work/run-0"),
    ("$SETTLE shard plan good.jsonl --work work --shards 1", "shard hash 0 --work work", "work/hash-0"),
    ("true", "shard plan good.jsonl --work work --shards 1", "work/plan.json"),
    (
      "$SETTLE shard plan good.jsonl --work work --shards 1 && $SETTLE shard run 0 --work work "
        + "&& $SETTLE shard hash 0 --work work", "merge work --output out", "out"
    ),
    (
      "$SETTLE shard plan good.jsonl --work work --shards 1 && $SETTLE shard run 0 --work work "
        + "&& $SETTLE shard hash 0 --work work", "merge work --output out --layout parts", "out"
    ),
  ]

  @Test(arguments: commands)
  func syncs(before: String, command: String, output: String) throws {
    let folder = try CommandFolder()
    let calls = try record(command, after: before, in: folder)
    let place = folder.url.resolvingSymlinksInPath().path + "/\(output)"
    let parent = String(place.prefix(upTo: place.lastIndex(of: "/") ?? place.endIndex))
    let named = try #require(
      calls.firstIndex { $0.name == "rename" && $0.to == place }, "nothing gets the name \(place)")
    let made = calls[named].path
    #expect(calls[..<named].contains { $0.name == "write" && $0.path.hasPrefix(made) }, "nothing is written")
    let own = Self.unsynced(calls[..<named]).filter { $0 == made || $0.hasPrefix(made + "/") }
    #expect(own == [], "not on the disk when \(made) gets its name")
    let after = calls[named...]
    let synced = try #require(after.firstIndex { $0.name == "sync" && $0.path == parent }, "the name is not synced")
    // Nothing that was replaced is removed before.
    #expect(!after[..<synced].contains { $0.name == "remove" && $0.path.hasPrefix(made) })
    #expect(!after.contains { $0.name == "write" && ($0.path == place || $0.path.hasPrefix(place + "/")) })
  }

  @Test(
    "with a ledger the reports are on the disk before their run is entered, and that happens before they get their name",
    arguments: ["mkdir books", "mkdir books && $SETTLE run bad.jsonl --output old --ledger books/ledger"])
  func order(before: String) throws {
    let folder = try CommandFolder()
    // Not next to the output, as SQLite syncs the ledger's directory.
    let calls = try record("run good.jsonl --output out --ledger books/ledger", after: before, in: folder)
    let root = folder.url.resolvingSymlinksInPath().path
    let (partial, note, ledger) = ("\(root)/.out.partial", "\(root)/.out.ledger", "\(root)/books/ledger")
    func last(_ name: String, _ path: String, before end: Int = .max) throws -> Int {
      try #require(calls.prefix(end).lastIndex { $0.name == name && $0.path == path }, "no \(name) of \(path)")
    }
    let named = try #require(calls.firstIndex { $0.name == "rename" && $0.path == partial })
    let locked = try last("write", "\(ledger)-lock", before: named)
    let entered = try last("write", ledger, before: locked)
    let noted = try last("make", note, before: entered)
    let reported = try last("sync", partial, before: noted)
    // Step by step: reports, note, ledger, lock file, name; each on the disk before the next.
    let steps = [(reported, noted), (noted, entered), (entered, locked), (locked, named)]
    for (step, next) in steps {
      let left = Self.unsynced(calls[...next].dropLast()).filter {
        $0.hasPrefix(partial) || step >= noted && [note, root].contains($0) || step >= entered && $0 == ledger
          || step >= locked && $0 == "\(ledger)-lock"
      }
      #expect(left == [], "not on the disk at call \(next), \(calls[next])")
    }
    let synced = try #require(calls[named...].firstIndex { $0.name == "sync" && $0.path == root })
    #expect(!calls[named..<synced].contains { $0.path.hasPrefix(ledger) || $0.path == note })
    #expect(try last("write", ledger) > synced, "the attempt ends behind the name")
  }

  @Test(
    "if its name cannot be synced, an output keeps its old content",
    arguments: [
      ("true", "run good.jsonl --output out"),
      ("$SETTLE run bad.jsonl --output out", "run good.jsonl --output out --replace"),
      ("true", "run good.jsonl --output out --ledger ledger"),
    ])
  func takenBack(before: String, command: String) throws {
    let folder = try CommandFolder()
    func run(_ script: String) throws -> (exitCode: Int32, said: String) {
      let process = try folder.start("{ \(script); } 2>said")
      process.waitUntilExit()
      let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
      return (process.terminationStatus, said)
    }
    func reports() -> [String: Data] {
      let out = folder.url.appendingPathComponent("out")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: out.path)) ?? []
      return Dictionary(uniqueKeysWithValues: names.map { ($0, try! Data(contentsOf: out.appendingPathComponent($0))) })
    }
    _ = try run(before)
    let (names, old) = (try folder.names(), reports())
    let failing = "LD_PRELOAD='\(try recorder())' FAILED_SYNC=\"$(pwd -P)\" \"$SETTLE\" \(command)"
    let (exitCode, said) = try run(failing)
    #expect(exitCode == 74 && said.contains("Input/output error"), "\(said)")
    #expect(try folder.names().filter { !$0.hasPrefix("ledger") } == names)
    #expect(reports() == old)
    #expect(try run("\"$SETTLE\" \(command)").exitCode == 0)
    #expect(!reports().isEmpty && reports() != old)
  }

  /// What was changed since its last sync: files that were written, and directories in which a name was made.
  private static func unsynced(_ calls: ArraySlice<Call>) -> [String] {
    var changed: Set<String> = []
    for call in calls {
      switch call.name {
      case "make": changed.formUnion([call.path, (call.path as NSString).deletingLastPathComponent])
      case "write": changed.insert(call.path)
      case "sync": changed.remove(call.path)
      case "remove": changed.remove(call.path)
      default: break
      }
    }
    return changed.sorted()
  }

  private func recorder() throws -> String {
    let recorder = Bundle.main.bundleURL.appendingPathComponent("libSystemCallRecorder.so").path
    try #require(FileManager.default.fileExists(atPath: recorder))
    return recorder
  }

  private func record(_ command: String, after before: String, in folder: CommandFolder) throws -> [Call] {
    let recorder = try recorder()
    let process = try folder.start(
      "{ \(before); } ; : >calls; "
        + "exec env LD_PRELOAD='\(recorder)' RECORDED_CALLS=\"$PWD/calls\" \"$SETTLE\" \(command) 2>said")
    process.waitUntilExit()
    let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
    #expect([0, 1].contains(process.terminationStatus), "\(said)")
    return try String(contentsOf: folder.url.appendingPathComponent("calls"), encoding: .utf8).split(separator: "\n")
      .compactMap(Call.init)
  }
}
