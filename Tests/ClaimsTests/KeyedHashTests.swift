import Claims
import Testing

@Suite("SipHash against published values, and the hash for tables")
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

  /// Computed by a second implementation, in Python, with the same key.
  static let table: [(count: Int, value: UInt64)] = [
    (0, 0x6901_70EF_4E99_7B45), (1, 0x41AC_8788_39BE_C588), (3, 0x0372_F231_CA38_04C6),
    (4, 0xCE38_E804_5225_CED3), (7, 0x93B6_C312_1483_EDA1), (8, 0x0000_0000_0000_0000),
    (9, 0x0F92_2A9A_7653_26B0), (15, 0xA6F4_669B_DA2D_FC01), (16, 0xE618_0A4B_0A50_30FB),
    (17, 0x47D7_DF17_9963_0E96), (31, 0x2190_98E3_19EA_876E), (32, 0x857F_887B_0B9F_0B43),
    (33, 0x4BE8_A942_216B_3737), (63, 0x252D_B3D6_FD2F_E975), (255, 0x6211_7A3D_1048_54B2),
  ]

  @Test("the hash for tables", arguments: table)
  func tableHashes(count: Int, value: UInt64) {
    let hash = KeyedHash(key0: 0x0706_0504_0302_0100, key1: 0x0F0E_0D0C_0B0A_0908)
    #expect(hash.tableHash(Self.message(count).span) == value)
  }

  @Test("texts that differ in one byte, or in their length, are spread over the places of a table", arguments: 0..<3)
  func spreads(_: Int) {
    let hash = KeyedHash()
    var texts = (0...255).map { [UInt8](repeating: 0, count: $0) }
    for length in [1, 4, 7, 8, 9, 16, 17, 26, 33] {
      for place in 0..<length {
        for byte in 1...255 {
          var text = [UInt8](repeating: 0, count: length)
          text[place] = UInt8(byte)
          texts.append(text)
        }
      }
    }
    let hashes = texts.map { hash.tableHash($0.span) }
    #expect(Set(hashes).count == texts.count, "\(hash)")
    // 31,111 texts in 1,024 places: 30 each, with a standard deviation of 5.5.
    for shift in [0, 27, 54] {
      var counts = [Int](repeating: 0, count: 1024)
      for value in hashes { counts[Int(value >> UInt64(shift) & 1023)] += 1 }
      #expect(counts.max()! < 75, "\(hash), bits from \(shift)")
    }
  }

  @Test("each hash has a key of its own, and reads nothing behind its bytes")
  func isKeyed() {
    #expect(
      KeyedHash().tableHash([1, 2, 3].span.extracting(first: 3))
        != KeyedHash().tableHash([1, 2, 3].span.extracting(first: 3)))
    let hash = KeyedHash()
    func fingerprint(_ bytes: [UInt8], first count: Int) -> Fingerprint {
      hash.fingerprint(bytes.span.extracting(first: count))
    }
    #expect(fingerprint([1, 2, 3, 4], first: 3) == fingerprint([1, 2, 3, 5], first: 3))
    #expect(fingerprint([1, 2, 3, 4], first: 4) != fingerprint([1, 2, 3, 5], first: 4))
  }
}
