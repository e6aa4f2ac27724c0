import Bookkeeping
import Console
import Failures
import FileSystem
import Logging
import Payouts

/// What commands say about a run or a payout that is entered already.
extension FoundEntry {
  /// Says where its files are; as an error if they are not at the output.
  ///
  /// - Parameters:
  ///   - output: the output that was asked for; nil if nothing was to be made.
  ///   - rest: what else the user must know if the files are not at the output.
  ///   - isRepeatable: whether the same command can publish the files again.
  func report(output: String?, rest: String? = nil, isRepeatable: Bool = true) throws(Failure) {
    let (files, made, warning) =
      switch Content.kind {
      case .run: ("reports", "already settled by", "anyone who pays this batch now may pay it twice")
      default: ("files", "already made as", "anyone who sends them to the bank now may pay twice")
      }
    let what = "\(made) \(entry.id), \(entry.time); its \(files)"
    guard case .elsewhere(let stand) = self.files else {
      let then = self.files == .inPlace ? "are in place, nothing was written" : "are published again"
      return try Terminal.print("\(what) \(then): \(OutputPlace.shown(output!))")
    }
    let directory = FileName.string(entry.directory)
    let isGone = !entry.isAtURI && OutputPlace.isGone(directory)
    let found = stand ? "are in" : isGone ? "are gone from" : "have changed in"
    let shown = OutputPlace.shown(directory)
    var sentences = ["\(what) \(found) \(shown)", "Nothing was written" + (output == nil ? "" : ": \(warning)")]
    if let rest { sentences.append(rest) }
    if let output, isRepeatable {
      // With another SHA256SUMS, the directory would be taken for another payout of that number.
      let isInTheWay = Content.kind == .payout && !stand && !isGone && !(entry.knownFiles?.holdsSums ?? false)
      if isInTheWay {
        sentences.append("Move the directory away, and publish the files of \(entry.id) again:")
        sentences[sentences.count - 1] += "\n  \(SetAside.command(shown))"
      } else {
        sentences.append("This publishes the \(files) of \(entry.id) again:")
      }
      let command = RepeatedCommand.republishing(output, isFreed: isInTheWay && OutputPlace.isSame(output, directory))
      sentences[sentences.count - 1] += "\n  \(command)"
    }
    Log.logger.error(
      "\(sentences.joined(separator: ". "))\(output == nil ? "." : "")",
      metadata: [
        "exitCode": .stringConvertible(exitCode), "\(Content.kind)": .stringConvertible(entry.number),
        "directory": .string(shown),
      ])
  }
}
