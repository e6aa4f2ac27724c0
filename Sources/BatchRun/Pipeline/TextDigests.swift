import FileSystem

/// The digests of a file's decompressed text (`ledger.md`, "Run identity"), in hexadecimal digits.
package struct TextDigest: Sendable, Equatable {
  /// The digest in pieces, by which runs are entered.
  package let pieces: String
  /// The plain SHA-256, by which earlier versions entered runs; nil if it is not needed.
  package let plain: String?

  package init(pieces: String, plain: String?) {
    self.pieces = pieces
    self.plain = plain
  }
}

/// The digests of all files' texts, taken chunk by chunk in batch order.
package struct TextDigests {
  /// The beginning of the first text.
  package private(set) var opening = TextOpening()
  private var pieces: [PieceDigest]
  /// Whether a file is stored as plain text: then the digest of its stored bytes is the plain one.
  private var arePlain: [Bool]

  package init(files: Int) {
    pieces = Array(repeating: PieceDigest(), count: files)
    arePlain = Array(repeating: false, count: files)
  }

  /// Takes a chunk; its worker computed the digests of its whole pieces.
  package mutating func add(_ work: ChunkWork) {
    let chunk = work.chunk
    let text = chunk.span
    if work.file == 0 { opening.append(chunk) }
    let whole = work.wholePieces
    pieces[work.file].update(text.extracting(first: whole.lowerBound))
    pieces[work.file].update(pieces: work.pieceDigests)
    pieces[work.file].update(text.extracting(droppingFirst: whole.upperBound))
    arePlain[work.file] = work.chunk.isPlain
  }

  /// The digests, once the batch has ended.
  ///
  /// - Parameter plain: the plain digests of files that are stored compressed; nil if they are not needed.
  package func finish(_ files: [StoredFile], plain: [String]?) -> [TextDigest] {
    files.indices.map { file in
      TextDigest(
        pieces: pieces[file].hexadecimal,
        plain: plain.map { arePlain[file] ? files[file].sha256 : $0[file] })
    }
  }
}
