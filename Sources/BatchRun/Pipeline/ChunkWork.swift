import Input
import Postings

/// A chunk and what its lines became, on its way from a worker to the commit.
package final class ChunkWork: @unchecked Sendable {  // One thread at a time has it.
  package let chunk: TextChunk
  package let part: StretchResult
  /// The place of the chunk in the batch, from 0.
  var sequence = 0
  /// The place of its file among the batch's files.
  var file = 0
  /// Where the first line that begins in the chunk stands; the chunk's count if none does.
  var headEnd = 0
  /// Whether a line ends within the chunk.
  var hasLineEnd = false
  /// Where the last line, which ends in a later chunk, begins.
  var tailStart = 0
  /// The number of line ends after the first.
  var lineCount = 0
  /// Where the pieces of the text's digest stand that lie whole in the chunk, and their digests, if they are wanted.
  private(set) var wholePieces = 0..<0
  private(set) var pieceDigests: [UInt8] = []
  // What `ExpandedOrder` guards: the lanes that are not done with the chunk, -1 until its place is known; that place; and
  // what is wrong with the content up to its end.
  var lanesLeft = -1
  var textOffset = 0
  var contentFault: CorruptBatch?

  package init(plainLength: Int, textBudget: Int, accounts: AccountTotals) {
    chunk = TextChunk(plainLength: plainLength)
    part = StretchResult(accounts: accounts, textBudget: textBudget)
  }

  /// Computes the digests of the pieces that lie whole in the chunk.
  ///
  /// - Parameter offset: that of the chunk in its file's text.
  func digestPieces(from offset: Int) {
    wholePieces = PieceDigest.wholePieces(of: chunk.count, from: offset)
    pieceDigests = PieceDigest.digests(chunk.text, wholePieces)
  }

  /// Settles the lines that begin and end in the chunk into its part, which must have no budget to speak of.
  package func settleLines(_ settler: inout RecordSettler) {
    part.text = UnsafePointer(chunk.text)
    findFirstLineEnd()
    visitLines { line, length in
      let fits = settler.take(line: line, length: length, number: lineCount, into: part) { _, _ in
        preconditionFailure("a part without a budget is never full")
      }
      precondition(fits, "a settler without a limit takes records of any width")
    }
  }
}
