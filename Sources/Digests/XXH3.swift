import CXXHash

/// The XXH3, 64 bits wide, of bytes that arrive in pieces: a fast checksum that detects accidents, not intentions.
///
/// (Unsafe: the library reads only the bytes of spans, and the state is freed with its owner.)
@safe
public struct XXH3: ~Copyable {
  private let state: OpaquePointer

  /// Starts a checksum without any bytes.
  public init() {
    guard let state = unsafe XXH3_createState() else { preconditionFailure("out of memory") }
    unsafe self.state = state
    unsafe XXH3_64bits_reset(state)
  }

  deinit { unsafe XXH3_freeState(state) }

  /// Takes the next bytes.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe XXH3_64bits_update(state, bytes.baseAddress, bytes.count)
    }
  }

  /// The checksum of the bytes so far.
  public func finalize() -> UInt64 { unsafe XXH3_64bits_digest(state) }

  /// The checksum of a complete text.
  public static func checksum(of text: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
    unsafe text.withUnsafeBytes { unsafe XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
  }
}
