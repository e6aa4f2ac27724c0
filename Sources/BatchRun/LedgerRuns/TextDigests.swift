import Digests
import FileSystem

/// The SHA-256 of each file's decompressed text, taken chunk by chunk in batch order.
struct TextDigests {
  private var digests: [SHA256]
  /// Files whose text is what is stored: the digest of the stored bytes serves.
  private var arePlain: [Bool]

  init(files: Int) {
    digests = Array(repeating: SHA256(), count: files)
    arePlain = Array(repeating: false, count: files)
  }

  mutating func take(_ work: ChunkWork) {
    if work.chunk.isPlain {
      arePlain[work.file] = true
    } else {
      digests[work.file].update(work.chunk.text, count: work.chunk.count)
    }
  }

  /// The digests in hexadecimal digits, once the batch has ended.
  func finish(_ files: [StoredFile]) -> [String] {
    files.indices.map { arePlain[$0] ? files[$0].sha256 : digests[$0].finalize().hexadecimal }
  }
}
