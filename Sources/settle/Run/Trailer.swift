import ArgumentParser
import Console
import Failures
import Settlement

/// `settle trailer`: the trailer that a batch should have.
struct Trailer: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "trailer",
    abstract: "Print the trailer that a batch should have.",
    discussion: """
      Counts the records of a batch and sums their control amounts, as settle run does, and prints the line with these \
      figures. A trailer that is there is not looked at. So the line shows what differs if a run ends with \
      CONTROL_COUNT_MISMATCH or CONTROL_TOTAL_MISMATCH; ask the maker of the batch which of the two is right.

      Ends with 2 if the batch cannot be read as a whole.

      EXAMPLES:
        settle trailer export.jsonl
        settle trailer part-1.jsonl.lz4 part-2.jsonl.lz4
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var threads: ThreadOption
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    var options = SettlementOptions()
    options.threads = threads.count
    var batch = Batch(self.batch.batch, options: options)
    batch.progress = ProgressLine.forTerminal()
    try Terminal.emit([batch.trailer()])
    return 0
  }
}
