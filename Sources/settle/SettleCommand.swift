import ArgumentParser
import Console
import Failures

/// A command that ends with the exit code it returns, or with that of its failure.
protocol SettleCommand: ParsableCommand {
  /// Does what was asked for.
  func execute() throws(Failure) -> Int32
}

extension SettleCommand {
  func run() throws { try finish(nil, execute) }
}

/// A command with the log options. The parser takes time for them at each start, so not every command has them.
protocol LoggingCommand: SettleCommand {
  var log: LogOptions { get }
}

extension LoggingCommand {
  func run() throws {
    log.start()
    try finish(nil, execute)
  }
}

extension ParsableCommand {
  /// Runs a body, reports what failed, and ends the process with its exit code.
  ///
  /// - Parameter operation: is informed how the command ended.
  func finish(_ operation: RunOperation? = nil, _ body: () throws(Failure) -> Int32) throws {
    let code: Int32
    do throws(Failure) {
      code = try body()
    } catch {
      Log.report(error)
      code = error.exitCode
    }
    operation?.end(exitCode: code)
    if code != 0 { throw ExitCode(code) }
  }
}
