import ArgumentParser
import BatchRun

/// `settle explain`: one payment's arithmetic, step by step.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show one payment's arithmetic, step by step.",
    discussion: """
      EXAMPLES:
        settle explain night.jsonl.lz4 --pay-key AP-4711
      """)

  @OptionGroup var batch: BatchOptions

  @Option(help: ArgumentHelp("The payment to explain.", valueName: "key"))
  var payKey: String

  func run() throws {
    try finish { () throws(RunFailure) in 0 }
  }
}
