import FileSystem

/// The digests of a file's decompressed text (`ledger.md`, "Run identity"), in hexadecimal digits.
struct TextDigest: Sendable, Equatable {
  /// That in pieces, by which runs are entered.
  let pieces: String
  /// The plain SHA-256, by which earlier versions entered runs; nil if no such run is looked for.
  let plain: String?
}

/// The digests of all files' texts, taken chunk by chunk in batch order.
struct TextDigests {
  private var pieces: [PieceDigest]
  /// Files whose text is what is stored: the digest of the stored bytes is the plain one.
  private var arePlain: [Bool]

  init(files: Int) {
    pieces = Array(repeating: PieceDigest(), count: files)
    arePlain = Array(repeating: false, count: files)
  }

  /// Takes a chunk whose worker computed the digests of the pieces that lie in it.
  mutating func take(_ work: ChunkWork) {
    let (text, whole) = (work.chunk.text, work.wholePieces)
    pieces[work.file].update(text, count: whole.lowerBound)
    pieces[work.file].update(pieces: work.pieceDigests)
    pieces[work.file].update(text + whole.upperBound, count: work.chunk.count - whole.upperBound)
    arePlain[work.file] = work.chunk.isPlain
  }

  /// The digests, once the batch has ended.
  ///
  /// - Parameter plain: the plain ones of files whose text is not what is stored; nil if none are wanted.
  func finish(_ files: [StoredFile], plain: [String]?) -> [TextDigest] {
    files.indices.map { file in
      TextDigest(
        pieces: pieces[file].hexadecimal,
        plain: plain.map { arePlain[file] ? files[file].sha256 : $0[file] })
    }
  }
}
