import ArgumentParser
import BatchRun
import Console
import Delivery
import FileSystem

/// The options of `settle notify --send`.
struct NotifyDelivery: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The origins that may be contacted: scheme, host and port must match.", valueName: "origin"))
  var allow: [Origin] = []

  @Flag(help: "Contact addresses, too, that are none of the public internet: loopback, private and other special ones.")
  var allowPrivate = false

  @Option(help: ArgumentHelp("Seconds that an attempt may take; default: 30.", valueName: "seconds"))
  var timeout: Int?

  @Option(
    help: ArgumentHelp(
      "How often a message is tried after 429, 5xx and failures of the network; default: 5.", valueName: "n"))
  var attempts: Int?

  @Option(help: ArgumentHelp("Messages that are sent at once, at most 2 to a host; default: 16.", valueName: "n"))
  var concurrency: Int?

  func validate() throws {
    for (name, value, most) in [
      ("timeout", timeout, 3600), ("attempts", attempts, 100), ("concurrency", concurrency, 1024),
    ] {
      if let value, !(1...most).contains(value) { throw ValidationError("--\(name) takes a number from 1 to \(most).") }
    }
  }

  /// Whether any is given.
  var isGiven: Bool { !allow.isEmpty || allowPrivate || timeout != nil || attempts != nil || concurrency != nil }

  /// Delivers an outbox; the exit code.
  func deliver(_ outbox: String) throws(RunFailure) -> Int32 {
    var options = DeliveryOptions(allowed: allow)
    options.allowsPrivate = allowPrivate
    options.timeout = timeout ?? options.timeout
    options.attempts = attempts ?? options.attempts
    options.concurrency = concurrency ?? options.concurrency
    let counts = try Delivery.send(outbox, options: options) { number, origin, reason in
      Log.error("message \(number) to \(origin.map { "\($0)" } ?? "nobody"): \(reason)")
    }
    Log.notice(
      "\(OutputPlace.shown(outbox)): \(Terminal.count(counts.answered, "message")) answered, \(counts.before) before, "
        + "\(counts.failed) not answered")
    return counts.failed == 0 ? 0 : 1
  }
}

extension Origin: LosslessStringConvertible, ExpressibleByArgument {}
