import Foundation
import Testing
import TestSupport

/// Each command that a message prints is provoked, pasted into a shell, and must do what the message promises.
@Suite("A command that a message prints can be pasted")
struct PrintedCommandTests {
  @Test("with the options of the command that printed it", arguments: PrintedCommand.situations)
  func paste(situation: PrintedCommand.Situation) throws {
    let folder = try CommandFolder()
    let place = folder.url.resolvingSymlinksInPath().path
    func shell(_ script: String) throws -> (exitCode: Int32, said: String) {
      try folder.write("script", PrintedCommand.prelude + "{ \(script)\n} >said 2>&1")
      let process = try folder.start("sh script")
      process.waitUntilExit()
      let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
      return (process.terminationStatus, said.replacing(place, with: "FOLDER"))
    }
    let before = try shell("set -e; \(situation.before)")
    #expect(before.exitCode == 0, "\(before.said)")
    let told = try shell(situation.provoking)
    #expect(told.exitCode == situation.exitCode, "\(told.said)")
    if let repair = situation.repair { #expect(try shell(repair).exitCode == 0) }
    for command in situation.commands {
      let printed = command.printed.replacing("TODAY", with: PrintedCommand.today)
      #expect(told.said.contains(printed), "\(printed) is not in:\n\(told.said)")
      var pasted = printed.replacing("FOLDER", with: place)
      for (word, value) in command.filled { pasted = pasted.replacing(word, with: value) }
      let answer = try shell(pasted)
      #expect(answer.exitCode == command.exitCode, "\(pasted)\n\(answer.said)")
    }
  }

  @Test("each place that prints a command is in the table, and the table has no other")
  func places() throws {
    let known = PrintedCommand.situations.flatMap(\.places) + PrintedCommand.elsewhere + PrintedCommand.mentions
    let found = try Self.places(in: URL(filePath: #filePath).appending(path: "../../../../Sources").standardized)
    #expect(found.count > 40)
    #expect(
      Set(found).subtracting(known).sorted() == [], "name them in PrintedCommand, with a situation that runs them")
    #expect(Set(known).subtracting(found).sorted() == [], "no source prints them")
  }

  /// The places in sources that have a command in a text, each as `FILE: COMMAND`; with ` (N)` behind the Nth such command
  /// of a file from the second on.
  private static func places(in sources: URL) throws -> [String] {
    var counts: [String: Int] = [:]
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)!
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    for file in files {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("//") || !text.contains("\"") && !text.contains("\\(") { continue }
        for match in text.matches(of: /(as |of )?settle (payout adopt|ledger [a-z]+|shard [a-z]+|[a-z]+)\b/)
        where match.1 == nil && subcommands.contains(match.2.prefix { $0 != " " }) {
          counts["\(file.lastPathComponent): \(match.2)", default: 0] += 1
        }
        if text.contains("[\"settle\"") { counts["\(file.lastPathComponent): words", default: 0] += 1 }
      }
    }
    return counts.flatMap { place, count in (1...count).map { $0 == 1 ? place : "\(place) (\($0))" } }
  }

  private static let subcommands = Set(
    """
    balances currencies explain fees find generate here history import journal ledger merge notify payout prune report \
    returns run schema shard split statement status trailer validate verify waiting
    """.split(separator: " "))
}
