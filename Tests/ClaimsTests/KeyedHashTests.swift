import Claims
import Testing

@Suite("SipHash against published values")
struct KeyedHashTests {
  /// The bytes 0, 1, 2 and so on.
  static func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }

  /// From vectors.h of the SipHash authors: key 00 to 0f, 128 bits, by the message's length.
  static let wide: [(count: Int, digest: String)] = [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
    (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
    (16, "6ee2a4ca67b054bbfd3315bf85230577"), (63, "5150d1772f50834a503e069a973fbd7c"),
  ]

  @Test("SipHash-2-4 with 128 bits", arguments: wide)
  func fingerprints(count: Int, digest: String) {
    let hash = KeyedHash(key0: 0x0706_0504_0302_0100, key1: 0x0F0E_0D0C_0B0A_0908)
    let fingerprint = hash.fingerprint(Self.message(count).span)
    let hexadecimal = [fingerprint.low, fingerprint.high].map { half in
      let digits = String(half.byteSwapped, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    #expect(hexadecimal.joined() == digest)
  }

  /// What CPython 3.11 answers for `hash(bytes(range(n)))` with PYTHONHASHSEED=0: SipHash-1-3 with a key of zeros.
  static let short: [(count: Int, value: UInt64)] = [
    (1, 0x68A9_1412_8E01_E473), (7, 0x2F09_8AB0_C751_325A), (8, 0xEAD4_11E6_7EBE_2EEA),
    (9, 0x7592_7F9D_9512_4362), (15, 0xF30E_B725_BB91_C9EA), (16, 0x8972_1884_33A5_C5B7),
    (17, 0x4883_C49A_2C00_9C1D), (63, 0x385D_3E39_E5F3_7359),
  ]

  @Test("SipHash-1-3", arguments: short)
  func shortHashes(count: Int, value: UInt64) {
    #expect(KeyedHash(key0: 0, key1: 0).shortHash(Self.message(count).span) == value)
  }

  @Test("each hash has a key of its own, and reads nothing behind its bytes")
  func isKeyed() {
    #expect(
      KeyedHash().shortHash([1, 2, 3].span.extracting(first: 3))
        != KeyedHash().shortHash([1, 2, 3].span.extracting(first: 3)))
    let hash = KeyedHash()
    func fingerprint(_ bytes: [UInt8], first count: Int) -> Fingerprint {
      hash.fingerprint(bytes.span.extracting(first: count))
    }
    #expect(fingerprint([1, 2, 3, 4], first: 3) == fingerprint([1, 2, 3, 5], first: 3))
    #expect(fingerprint([1, 2, 3, 4], first: 4) != fingerprint([1, 2, 3, 5], first: 4))
  }
}
