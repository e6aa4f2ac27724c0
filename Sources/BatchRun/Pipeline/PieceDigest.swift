import Digests

/// The digest of a text in pieces of 64 KiB (`ledger.md`, "Run identity"): the SHA-256 of the SHA-256 of its pieces.
///
/// The text is taken front to back. Other threads may compute the digests of whole pieces in a part of it.
package struct PieceDigest {
  /// The bytes of a piece; the last one of a text may have fewer.
  package static let length = 1 << 16

  private var pieces = SHA256()
  private var piece = SHA256()
  /// The number of bytes taken of the unfinished piece.
  private var count = 0

  package init() {}

  /// Takes the next bytes of the text.
  package mutating func update(_ text: Span<UInt8>) {
    var done = 0
    while done < text.count {
      let taken = min(Self.length - count, text.count - done)
      piece.update(text.extracting(done..<done + taken))
      done += taken
      count += taken
      if count == Self.length { finishPiece() }
    }
  }

  /// Takes the digests of the next pieces, in order; must be called where a piece begins.
  package mutating func update(pieces digests: [UInt8]) {
    precondition(count == 0 || digests.isEmpty, "a piece of a text is not whole")
    pieces.update(digests.span)
  }

  private mutating func finishPiece() {
    let digest = piece.finalize().bytes
    pieces.update(digest.span)
    piece = SHA256()
    count = 0
  }

  /// The digest of the text so far, in hexadecimal digits.
  package var hexadecimal: String {
    var whole = self
    if count > 0 { whole.finishPiece() }
    return whole.pieces.finalize().hexadecimal
  }

  /// The range of whole pieces within a part of a text, as offsets in the part; empty if it contains none.
  ///
  /// - Parameter start: the part's offset in the text.
  static func wholePieces(of count: Int, from start: Int) -> Range<Int> {
    let first = min((length - start % length) % length, count)
    return first..<count - (count - first) % length
  }

  /// The digests of the pieces in a range of whole ones, in order.
  package static func digests(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var digests: [UInt8] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 2 * length) {
      var piece = SHA256()
      guard start + length < range.upperBound else {
        piece.update(text.extracting(start..<start + length))
        return digests + piece.finalize().bytes
      }
      var next = SHA256()
      let pieces = text.extracting(start..<start + 2 * length)
      SHA256.update(&piece, pieces.extracting(first: length), &next, pieces.extracting(last: length))
      digests += piece.finalize().bytes + next.finalize().bytes
    }
    return digests
  }
}
