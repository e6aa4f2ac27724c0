import ArgumentParser
import CSystemCalls
import Failures
import FileSystem
import Glibc
import Text

extension ParsableCommand {
  /// Runs the command with the process's arguments. If it fails, the process ends with its exit code.
  public static func runAsProcess() {
    settle_reserve_standard_descriptors()
    // A failed write reports that the reader is gone; no signal is needed.
    signal(SIGPIPE, SIG_IGN)
    // The same goes for a file that has reached its size limit.
    signal(SIGXFSZ, SIG_IGN)
    Log.name = _commandName
    Interruption.watch { Log.reportEnd("ended by \($0) before it finished") }
    // All files of a batch are opened before the first is read.
    settle_allow_many_files()
    // Return large memory to the system when it is freed, or each thread would keep the most it ever had.
    settle_return_freed_memory()
    // Swift reads the arguments from /proc; without it they are unknown.
    guard CommandLine.argc > 0 else {
      Terminal.writeErrorLine(
        "\(Log.name): error: the system does not give the command's arguments (/proc/self/cmdline)")
      Glibc.exit(74)
    }
    // Arguments are taken byte by byte: a file's name need not be UTF-8.
    // (Unsafe: the system ends each of them with a zero byte.)
    let arguments = (1..<max(1, Int(CommandLine.argc))).map { place in
      let argument = unsafe CommandLine.unsafeArgv[place]!
      return unsafe FileName.string(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
    Log.expectForm(arguments)
    do {
      try expectNoCredentials(arguments)
      try expectSubcommand(arguments)
      var command = try parseAsRoot(helpOfDefault(arguments))
      try command.run()
    } catch {
      end(error, arguments)
    }
  }

  /// The names of the subcommands as users type them.
  private static var subcommandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// Asks for the help of a group's default subcommand in place of the group's: its options are what users give.
  private static func helpOfDefault(_ arguments: [String]) -> [String] {
    guard arguments.count == 2, let place = arguments.firstIndex(where: { ["help", "--help", "-h"].contains($0) })
    else {
      return arguments
    }
    let group = configuration.subcommands.first { $0.configuration.commandName == arguments[1 - place] }
    guard let name = group?.configuration.defaultSubcommand?.configuration.commandName else { return arguments }
    return [arguments[1 - place], name, "--help"]
  }

  /// Ends the process as the argument parser does. With JSON log lines, a usage error is one of them.
  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    let code = exitCode(for: error).rawValue
    // A command that ends with a code alone has said why.
    if error is ExitCode { Glibc.exit(code) }
    let full = fullMessage(for: error).replacing(#/^Error: /#, with: "\(Log.name): error: ", maxReplacements: 1)
    guard code == usage else {
      // The output is help, the version, or a completion script.
      if code == 0, !full.isEmpty {
        let isScript = arguments.contains { $0.hasPrefix("--generate-completion-script") }
        // The parser adds the word to the names of groups.
        let help = full.replacing(" SUBCOMMANDS:", with: ":")
        let text = (isScript ? HelpCompletion.added(to: full, subcommandNames) : help) + "\n"
        do throws(Failure) {
          try Terminal.write(text)
        } catch {
          Log.report(error)
          Glibc.exit(error.exitCode)
        }
      }
      Glibc.exit(code)
    }
    let hint = Suggestion.forOptions(of: arguments, usage: full).map { "\n" + $0 } ?? ""
    guard Log.format == .json else {
      let end = full.firstIndex(of: "\n") ?? full.endIndex
      Terminal.writeErrorLine(escaped(full[..<end] + hint + full[end...], arguments), in: .red)
      Glibc.exit(code)
    }
    let message = escaped(message(for: error) + hint, arguments)
    Log.logger.error("\(message)", metadata: ["exitCode": .stringConvertible(code)])
    Glibc.exit(code)
  }

  /// Throws if a URI contains a user's name or password: reports and logs would show them.
  private static func expectNoCredentials(_ arguments: [String]) throws {
    for argument in arguments {
      // A regular expression would take a sixth of each start.
      let parts = argument.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[1].hasPrefix("//"), let scheme = parts[0].split(separator: "=").last,
        let end = parts[1].dropFirst(2).prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@")
      else { continue }
      let name = "\(scheme)://\(parts[1][end...].dropFirst().prefix { !"?#".contains($0) })"
      throw ValidationError("\(OutputPlace.shown(name)): give credentials in the environment, not in the URI.")
    }
  }

  /// Throws if the argument in the place of a subcommand is not one: the argument parser would only count it.
  private static func expectSubcommand(_ arguments: [String]) throws {
    let commands = subcommandNames + ["help"]
    guard commands.count > 1, let name = arguments.first(where: { $0 != "help" }), !name.hasPrefix("-"),
      !commands.contains(name)
    else { return }
    throw ValidationError("Unknown command '\(name)'." + Suggestion.text(for: name, among: commands))
  }

  /// A message of the argument parser, with the control characters of the quoted arguments escaped.
  private static func escaped(_ message: String, _ arguments: [String]) -> String {
    var message = message
    for argument in arguments {
      // An argument may have several lines; a value may follow its option.
      let value = argument.split(separator: "=", maxSplits: 1).last.map { String($0) }
      for quoted in [argument, value ?? argument] where !quoted.isEmpty {
        let shown = OutputPlace.shown(quoted)
        if shown != quoted { message = message.replacing(quoted, with: shown) }
      }
    }
    return message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { MessageText.escapedName(Array($0.utf8)) }.joined(separator: "\n")
  }

  private static var usage: Int32 { 64 }
}

/// Parses a name from the command line. An empty one is nearly always an unset variable of a script.
public func named(_ name: String) throws -> String {
  guard !name.isEmpty else { throw ValidationError("A name is missing.") }
  return name
}
