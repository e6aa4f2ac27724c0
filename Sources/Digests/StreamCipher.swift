import CNettle

/// AES-256 in counter mode, by nettle, with a random key that is only in memory.
///
/// (Unsafe: nettle changes only the bytes of a span and the sixteen of the counter.)
public struct StreamCipher: Sendable {
  private let key = (0..<AES256_KEY_SIZE).map { _ in UInt8.random(in: .min ... .max) }

  /// A cipher with a new key.
  public init() {}

  /// Enciphers or deciphers bytes in place.
  ///
  /// - Parameter offset: where they are in the text; no two texts may have the same key.
  public func apply(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
    let blockLength = Int(AES_BLOCK_SIZE)
    let (block, skipped) = offset.quotientAndRemainder(dividingBy: blockLength)
    var cipher = aes256_ctx()
    unsafe nettle_aes256_set_encrypt_key(&cipher, key)
    var counter = stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: UInt128(block) >> $0) }
    // A key stream starts at a block. So the rest of a block is encrypted in a copy that begins where the block does.
    let ahead = min(bytes.count, (blockLength - skipped) % blockLength)
    var first = [UInt8](repeating: 0, count: skipped)
    for place in 0..<ahead { first.append(bytes[place]) }
    unsafe cnettle_aes256_ctr(&cipher, &counter, &first, first.count)
    for place in 0..<ahead { bytes[place] = first[skipped + place] }
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe cnettle_aes256_ctr(&cipher, &counter, start + ahead, bytes.count - ahead)
    }
  }
}
