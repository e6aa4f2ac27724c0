import BatchFile
import Crypto
import Glibc
import Settlement
import Threads

/// A file of the batch, as it is to be read.
struct InputSource {
  /// Its path as given; `-` is standard input.
  let path: String
  /// What is read in its stead, where it can be read only once.
  var copy: InputCopy?
}

/// The batch's files, read one after the other by whichever worker asks next, and hashed as they are read.
final class BatchInput: @unchecked Sendable {
  private final class Digest: @unchecked Sendable {
    var sha256 = SHA256()
  }

  private let lock = Lock()
  private let stored: [StoredBatchFile]
  private let digests: [Digest]
  private var current = 0
  private var sequence = 0
  private var storedBytes = 0
  private(set) var failure: RunFailure?

  /// The files' names, with control characters escaped and what is not UTF-8 replaced.
  let escapedNames: [[UInt8]]

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - names: what reports call the files, escaped already; their paths, escaped, where it is nil.
  ///   - hashes: whether their digests are wanted.
  init(_ sources: [InputSource], names: [String]? = nil, hashes: Bool = true) throws(RunFailure) {
    precondition(names == nil || names?.count == sources.count, "a name for each file of the batch")
    var stored: [StoredBatchFile] = []
    var digests: [Digest] = []
    for source in sources {
      let digest = Digest()
      do throws(ReadFailure) {
        stored.append(
          try StoredBatchFile(
            path: source.path, copy: source.copy?.descriptor,
            observing: hashes ? { bytes in digest.sha256.update(bufferPointer: bytes) } : nil))
      } catch {
        throw .unreadable(Self.message(error))
      }
      digests.append(digest)
    }
    self.stored = stored
    self.digests = digests
    escapedNames = (names ?? sources.map { Self.shown($0.path) }).map { Array($0.utf8) }
  }

  private static func shown(_ path: String) -> String { MessageText.escapedName(FileName.bytes(path)) }

  static func message(_ failure: ReadFailure) -> String {
    "\(shown(failure.path)): cannot \(failure.operation.rawValue) the file: \(failure.message)"
  }

  /// The size of all files together; nil where one of them is no regular file.
  var storedSize: UInt64? {
    var sum: UInt64 = 0
    for file in stored {
      guard let size = file.storedSize else { return nil }
      sum += size
    }
    return sum
  }

  /// The stored bytes read so far.
  var storedBytesRead: Int { lock.withLock { storedBytes } }

  /// Fills the next chunk of the batch; false where it has ended or cannot be read on.
  func readNext(into work: ChunkWork) -> Bool {
    lock.withLock {
      while failure == nil, current < stored.count {
        do throws(ReadFailure) {
          if try stored[current].readNext(into: work.chunk) {
            work.sequence = sequence
            work.file = current
            sequence += 1
            storedBytes = Int(clamping: stored[0...current].reduce(0) { $0 + $1.storedBytesRead })
            return true
          }
        } catch {
          failure = .inputOutput(Self.message(error))
          return false
        }
        current += 1
      }
      return false
    }
  }

  /// The files as read; call it once the batch has ended.
  var files: [InputFile] {
    zip(escapedNames, zip(stored, digests)).map { name, file in
      InputFile(
        name: String(decoding: name, as: UTF8.self), bytes: Int(clamping: file.0.storedBytesRead),
        sha256: Hexadecimal.text(file.1.sha256.finalize()))
    }
  }
}

/// Bytes as lower-case hexadecimal digits.
public enum Hexadecimal {
  /// Two digits for each byte.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
