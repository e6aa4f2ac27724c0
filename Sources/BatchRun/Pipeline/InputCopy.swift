import CNettle
import Failures
import FileSystem
import Input

/// A copy of an input that can be read only once, such as a pipe, in an unnamed file next to the output.
///
/// Files must not contain a batch's cards (`cards.md`), so the copy is encrypted with a key that is only in memory.
package final class InputCopy {
  /// Reads the copy.
  package var stored: StoredCopy {
    StoredCopy(descriptor: file.descriptor.rawValue) { [key] bytes, offset in Self.encipher(bytes, at: offset, key) }
  }
  private let file: SpoolFile
  private let key = (0..<AES256_KEY_SIZE).map { _ in UInt8.random(in: .min ... .max) }

  private static let pieceLength = 1 << 20

  /// The files of a batch; those that can be read only once are copied first.
  ///
  /// - Parameter place: the output, whose file system has room for the batch's reports; evaluated if a file is copied.
  package static func sources(
    _ paths: [String], beside place: @autoclosure () throws(Failure) -> OutputPlace
  ) throws(Failure) -> [InputSource] {
    var sources: [InputSource] = []
    for path in paths {
      sources.append(InputSource(path: path, copy: isRepeatable(path) ? nil : try InputCopy(of: path, beside: place())))
    }
    return sources
  }

  /// Standard input is always copied, even if it is a file: another process may have read part of it.
  static func isRepeatable(_ path: String) -> Bool {
    guard path != "-" else { return false }
    // If it is missing or a directory, opening it fails with a message.
    guard let type = (try? FileName.status(path))?.type else { return true }
    return type == .regular || type == .directory
  }

  private init(of path: String, beside place: OutputPlace) throws(Failure) {
    file = try SpoolFile(beside: place)
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    let source = try StoredBatchFile(path: path)
    while true {
      let count = try source.takeStored(Self.pieceLength, into: piece)
      if count == 0 { break }
      Self.encipher(UnsafeMutableRawBufferPointer(start: piece, count: count), at: UInt64(file.count), key)
      try file.append(piece, count: count)
    }
    try file.flush()
  }

  /// Encrypts or decrypts bytes at an offset, by AES-256 in counter mode; no other copy uses the key.
  private static func encipher(_ bytes: UnsafeMutableRawBufferPointer, at offset: UInt64, _ key: [UInt8]) {
    let blockLength = Int(AES_BLOCK_SIZE)
    let (block, skipped) = Int(offset).quotientAndRemainder(dividingBy: blockLength)
    var cipher = aes256_ctx()
    nettle_aes256_set_encrypt_key(&cipher, key)
    var counter = withUnsafeBytes(of: UInt128(block).bigEndian) { Array($0) }
    // A key stream starts at a block. So the rest of a block is encrypted in a copy that begins where the block does.
    let ahead = min(bytes.count, (blockLength - skipped) % blockLength)
    var first = [UInt8](repeating: 0, count: skipped) + bytes.prefix(ahead)
    cnettle_aes256_ctr(&cipher, &counter, &first, first.count)
    bytes.copyBytes(from: first[skipped...])
    cnettle_aes256_ctr(&cipher, &counter, bytes.baseAddress! + ahead, bytes.count - ahead)
  }
}
