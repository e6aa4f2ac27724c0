import ArgumentParser
import BatchRun
import CSystemCalls
import Glibc
import FileSystem
import Text

/// The `settle` command.
@main
struct Settle: ParsableCommand {
  // Every command states its name: made of the type's by the parser, all of them took a third of each start's instructions.
  static let configuration = CommandConfiguration(
    commandName: "settle",
    abstract: "Settles batches of payments: who gets how much, and who bears which fee.",
    discussion: """
      EXAMPLES:
        settle run night.jsonl.lz4 --output settled/2026-11-21
        settle history --ledger settled/ledger
        settle find AP-4711 --ledger settled/ledger
        settle validate export.jsonl
        settle explain export.jsonl --pay-key AP-4711

      EXIT CODES:
        0 no record rejected   1 some rejected        2 the batch as a whole cannot be settled
        3 settled before, by another run into another directory: nothing was written
        64 usage               66 input unreadable    73 output exists or cannot be made
        74 reading or writing failed                  75 another run holds the output or ledger
        78 fee schedule or ledger unusable            128 + n ended by signal n, 141 where nobody reads
      """,
    version: "\(BatchRun.version) (\(SourceCommit.text))",
    subcommands: [
      Run.self, Statement.self, JournalCommand.self, History.self, Find.self, LedgerCommand.self, Prune.self,
      Verify.self, ShardCommand.self, Merge.self, Report.self, Notify.self,
      Validate.self, Explain.self, Generate.self, Import.self, HereCommand.self, Split.self, Currencies.self, Fees.self,
      Schema.self,
    ])

  /// What users call the commands.
  static let commandNames = configuration.subcommands.compactMap { $0.configuration.commandName }

  static func main() {
    settle_reserve_standard_descriptors()
    // A reader that went away is told by a failed write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may grow no further.
    signal(SIGXFSZ, SIG_IGN)
    Interruption.watch { Log.tellAtEnd("ended by \($0) before it was done") }
    // All files of a batch are opened before the first is read.
    settle_allow_many_files()
    // Large memory goes back to the system when it is freed; else each thread would keep the most it ever had.
    settle_return_freed_memory()
    // They are read from /proc: if there is none, nobody knows what is asked for.
    guard CommandLine.argc > 0 else {
      Terminal.tell("settle: error: the system does not give the command's arguments (/proc/self/cmdline)")
      Glibc.exit(74)
    }
    // Arguments byte by byte: a file's name need not be UTF-8.
    let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map { argument in
      FileName.string(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
    Log.expectForm(arguments)
    do {
      try expectCommand(arguments)
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(error, arguments)
    }
  }

  /// Ends the process as the argument parser does; if lines are for machines, a usage error is one of them.
  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    let code = exitCode(for: error).rawValue
    let full = fullMessage(for: error).replacing(#/^Error: /#, with: "settle: error: ", maxReplacements: 1)
    guard code == usage else {
      // Help, the version, or a script of completions.
      if code == 0, !full.isEmpty {
        do throws(RunFailure) {
          let isScript = arguments.contains { $0.hasPrefix("--generate-completion-script") }
          try Terminal.emit([isScript ? HelpCompletion.added(to: full) : full])
        } catch {
          Log.tell(error)
          Glibc.exit(error.exitCode)
        }
      }
      Glibc.exit(code)
    }
    let hint = Suggestion.forOptions(of: arguments, usage: full).map { "\n" + $0 } ?? ""
    guard Log.format == .json else {
      let end = full.firstIndex(of: "\n") ?? full.endIndex
      Terminal.tell(escaped(full[..<end] + hint + full[end...], arguments), in: .red)
      Glibc.exit(code)
    }
    let message = escaped(message(for: error) + hint, arguments)
    Log.logger.error("\(message)", metadata: ["exitCode": .stringConvertible(code)])
    Glibc.exit(code)
  }

  /// Throws if something stands in the place of a command that is none: the argument parser would only count it.
  private static func expectCommand(_ arguments: [String]) throws {
    let commands = commandNames + ["help"]
    guard let name = arguments.first(where: { $0 != "help" }), !name.hasPrefix("-"), !commands.contains(name) else {
      return
    }
    throw ValidationError("Unknown command '\(name)'." + Suggestion.text(for: name, among: commands))
  }

  /// A message of the argument parser, which quotes arguments as they are, without their control characters.
  private static func escaped(_ message: String, _ arguments: [String]) -> String {
    var message = message
    for argument in arguments {
      // An argument has lines, too; a value may stand after its option.
      let value = argument.split(separator: "=", maxSplits: 1).last.map { String($0) }
      for quoted in [argument, value ?? argument] where !quoted.isEmpty {
        let shown = OutputPlace.shown(quoted)
        if shown != quoted { message = message.replacing(quoted, with: shown) }
      }
    }
    return message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { MessageText.escapedName(Array($0.utf8)) }.joined(separator: "\n")
  }

  private static let usage: Int32 = 64
}
