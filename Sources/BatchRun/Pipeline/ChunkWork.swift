import Input
import Postings

/// A chunk and the results of its lines, on its way from a worker to the commit.
package final class ChunkWork: @unchecked Sendable {  // A worker uses it, then the commit (`CommitOrder`).
  package let chunk: TextChunk
  package var stretch: StretchResult
  /// The index of the chunk in the batch.
  package var sequence = 0
  /// The index of its file among the batch's files.
  package var file = 0
  /// Where the first line that begins in the chunk starts; the chunk's length if none does.
  var headEnd = 0
  /// Whether a line ends within the chunk.
  var hasLineEnd = false
  /// Where the last line, which ends in a later chunk, starts.
  package var tailStart = 0
  /// The number of line ends after the first one.
  package var lineCount = 0
  /// The range of the text's digest pieces that are whole in the chunk, and their digests, if they are wanted.
  private(set) var wholePieces = 0..<0
  private(set) var pieceDigests: [UInt8] = []
  // `ExpandedOrder` guards these: the number of lanes not done with the chunk, -1 until its place is known; that place;
  // and what is wrong with the content up to its end.
  var lanesLeft = -1
  package var textOffset = 0
  var contentFault: CorruptBatch?

  package init(plainLength: Int, textBudget: Int, accounts: AccountTotals) {
    chunk = TextChunk(plainLength: plainLength)
    stretch = StretchResult(accounts: accounts, textBudget: textBudget)
  }

  /// Computes the digests of the pieces that are whole in the chunk.
  ///
  /// - Parameter offset: the chunk's offset in its file's text.
  func digestPieces(from offset: Int) {
    wholePieces = PieceDigest.wholePieces(of: chunk.count, from: offset)
    let chunk = chunk
    pieceDigests = PieceDigest.digests(chunk.span, wholePieces)
  }

  /// Settles the lines entirely within the chunk into its stretch, whose budget must be unlimited.
  package func settleLines(_ settler: inout RecordSettler) {
    findFirstLineEnd()
    settleLines(&settler, into: &stretch)
  }

  private func settleLines(_ settler: inout RecordSettler, into stretch: inout StretchResult) {
    let chunk = chunk
    visitLines { line, length in
      let fits = settler.settle(
        line: line, length: length, number: lineCount, of: chunk.span, isInPlace: true, into: &stretch
      ) { _, _ in
        preconditionFailure("a stretch without a budget is never full")
      }
      precondition(fits, "a settler without a limit takes records of any width")
    }
  }
}
