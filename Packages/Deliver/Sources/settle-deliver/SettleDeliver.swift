import ArgumentParser
import Console
import Delivery
import Failures
import FileSystem
import Version

/// The `settle-deliver` command.
@main
struct SettleDeliver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settle-deliver",
    abstract: "Deliver the messages of an outbox by HTTP.",
    discussion: """
      Sends each message that settle notify wrote into the outbox, until a status of 200 to 299 answers it. Only the \
      origins that --allow names are contacted. OUTBOX.sent lists what was answered, so that the next run continues \
      where this one ended. Each message that is not answered is reported with its number, origin and reason.

      EXAMPLES:
        settle-deliver night.outbox --allow https://shop.example https://tea.example

      EXIT CODES:
        0 all are answered     1 some are not           64 usage
        66 outbox unreadable   73 OUTBOX.sent cannot be made
        74 reading or writing failed                    75 another run uses the outbox
        128 + n ended by signal n
      """,
    version: SettleVersion.text)

  @Argument(help: "The outbox that settle notify made.", completion: .file(), transform: named)
  var outbox: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The origins that may be contacted: scheme, host and port must match.", valueName: "origin"))
  var allow: [Origin]

  @Flag(help: "Also contact addresses that are not public: loopback, private and other special ones.")
  var allowPrivate = false

  @Option(help: ArgumentHelp("Seconds that an attempt may take.", valueName: "seconds"))
  var timeout = 30

  @Option(
    help: ArgumentHelp("The most attempts for a message, after 429, 5xx and network failures.", valueName: "n"))
  var attempts = 5

  @Option(help: ArgumentHelp("Messages sent at once, at most 2 to a host.", valueName: "n"))
  var concurrency = 16

  @OptionGroup var log: LogOptions

  static func main() { runAsProcess() }

  func validate() throws {
    for (name, value, most) in [
      ("timeout", timeout, 3600), ("attempts", attempts, 100), ("concurrency", concurrency, 1024),
    ] where !(1...most).contains(value) {
      throw ValidationError("--\(name) takes a number from 1 to \(most).")
    }
  }

  func run() throws {
    log.start()
    let options = DeliveryOptions(
      allowed: allow, allowsPrivate: allowPrivate, timeout: timeout, attempts: attempts, concurrency: concurrency)
    do throws(Failure) {
      let counts = try Delivery.send(outbox, options: options) { number, origin, reason in
        Log.error("message \(number) to \(origin.map { "\($0)" } ?? "an unknown host"): \(reason)")
      }
      Log.notice(
        "\(OutputPlace.shown(outbox)): \(Terminal.count(counts.answered, "message")) answered, "
          + "\(counts.before) before, \(counts.failed) not answered")
      if counts.failed == 0 { return }
    } catch {
      Log.report(error)
      throw ExitCode(error.exitCode)
    }
    throw ExitCode(1)
  }
}

extension Origin: LosslessStringConvertible, ExpressibleByArgument {}
