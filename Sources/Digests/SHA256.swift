import Bytes
import CNettle

/// The SHA-256 of bytes that arrive in pieces. Copies are independent.
///
/// (Unsafe: nettle reads only the bytes of spans, and writes 32 of them.)
public struct SHA256: Sendable {
  /// The 32 bytes of a SHA-256.
  public struct Digest: Hashable, Sendable {
    /// The bytes; 32 of them.
    public let bytes: [UInt8]

    /// The bytes as 64 lower-case digits.
    public var hexadecimal: String { Hexadecimal.text(bytes) }

    fileprivate init(_ write: (UnsafeMutablePointer<UInt8>) -> Void) {
      bytes = unsafe Array(unsafeUninitializedCapacity: 32) { room, count in
        unsafe write(room.baseAddress!)
        count = 32
      }
    }
  }

  private var context = sha256_ctx()

  /// Starts a digest without any bytes.
  public init() { unsafe nettle_sha256_init(&context) }

  /// Takes the next bytes.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe nettle_sha256_update(&context, $0.count, $0.baseAddress) }
  }

  /// Takes the next bytes of two texts. If they are equally long, this takes little more than half the time of two
  /// separate calls, on processors with SHA instructions.
  public static func update(_ one: inout SHA256, _ text: Span<UInt8>, _ two: inout SHA256, _ other: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { text in
      unsafe other.withUnsafeBufferPointer { other in
        guard let start = text.baseAddress, let otherStart = other.baseAddress else {
          unsafe nettle_sha256_update(&one.context, text.count, text.baseAddress)
          return unsafe nettle_sha256_update(&two.context, other.count, other.baseAddress)
        }
        unsafe cnettle_sha256_update_two(&one.context, start, text.count, &two.context, otherStart, other.count)
      }
    }
  }

  /// The digest of the bytes so far; more may be added.
  public func finalize() -> Digest {
    var context = context
    return unsafe Digest { unsafe cnettle_sha256_digest(&context, $0) }
  }

  /// The digest of a complete text.
  public static func digest(of text: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(text.span)
    return hash.finalize()
  }

  /// The HMAC-SHA256 (RFC 2104) of a text with a key of any length.
  public static func authenticationCode(of text: Span<UInt8>, key: [UInt8]) -> Digest {
    var context = hmac_sha256_ctx()
    unsafe nettle_hmac_sha256_set_key(&context, key.count, key)
    unsafe text.withUnsafeBufferPointer { unsafe nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
    return unsafe Digest { unsafe cnettle_hmac_sha256_digest(&context, $0) }
  }
}
