import ArgumentParser
import CallPricing
import Foundation

/// The command that `tools/telco` runs.
@main
struct Telco: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "telco", abstract: "Prices telephone calls: the telco benchmark on settle's decimals.",
    subcommands: [Generate.self, Price.self])
}

/// `telco generate`: makes durations up.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write made-up call durations: 64-bit big-endian seconds, exponential, 180 on average.")

  @Option(help: "The number of calls.")
  var calls: Int

  @Option(help: "The seed; another one makes other calls.")
  var seed: UInt64

  @Option(name: .shortAndLong, help: "The file to make.")
  var output: String

  func validate() throws {
    guard (0...100_000_000).contains(calls) else {
      throw ValidationError("--calls takes a number from 0 to 100000000.")
    }
  }

  func run() throws {
    try Data(CallDurations.generate(calls: calls, seed: seed)).write(to: URL(filePath: output))
  }
}

/// `telco price`: prices the calls of a file and tells the sums and the time.
struct Price: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Price the calls of a file; tell totals and seconds as one line of JSON.",
    discussion: "The time of a pass is from the file's bytes in memory to the lines and totals in memory.")

  @Argument(help: "The durations: 64-bit big-endian seconds.")
  var file: String

  @Option(help: "How often to price them all; the median time counts.")
  var passes = 1

  @Flag(name: .customLong("gmp"), help: "Spell the rates with 40 decimals, so that products take GMP.")
  var throughGMP = false

  @Option(help: "Write a line for each call to this file: its price with taxes.")
  var lines: String?

  func validate() throws {
    guard (1...1000).contains(passes) else { throw ValidationError("--passes takes a number from 1 to 1000.") }
  }

  func run() throws {
    let durations = try Data(contentsOf: URL(filePath: file))
    guard durations.count % 8 == 0 else {
      throw ValidationError("\(file): \(durations.count) bytes are no whole number of 64-bit durations.")
    }
    let tariff = throughGMP ? Tariff.publishedThroughGMP : .published
    let calls = durations.count / 8
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: calls * Tariff.longestLine)
    defer { text.deallocate() }
    var seconds: [Double] = []
    var (totals, lineBytes) = (CallTotals(), 0)
    for _ in 0..<passes {
      let took = ContinuousClock().measure {
        (totals, lineBytes) = durations.withUnsafeBytes { tariff.bill($0, writing: text) }
      }
      seconds.append(took / .seconds(1))
    }
    if let lines { try Data(text[..<lineBytes]).write(to: URL(filePath: lines)) }
    print(
      """
      {"calls":\(calls),"seconds":\(seconds.sorted()[passes / 2]),"prices":"\(totals.prices)",\
      "basicTax":"\(totals.basicTax)","distanceTax":"\(totals.distanceTax)"}
      """)
  }
}
