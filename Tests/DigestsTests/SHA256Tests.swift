import Digests
import TestSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "of the texts of FIPS 180-2",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func published(_ text: String, _ digest: String) {
    let found = SHA256.digest(of: Array(text.utf8))
    #expect(found.hexadecimal == digest)
    #expect(found.bytes.count == 32)
  }

  @Test("is the same of any pieces of a text")
  func pieces() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...1_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var hash = SHA256()
      var rest = text[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...200, using: &random))
        hash.update(piece.span)
        rest = rest.dropFirst(piece.count)
      }
      #expect(hash.finalize() == SHA256.digest(of: text), "\(random.reproduction)")
    }
  }

  @Test("of two texts side by side is that of each")
  func sideBySide() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      var texts: [[UInt8]] = [[], []]
      var hashes = [SHA256(), SHA256()]
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let parts = (0..<2).map { _ in
          // Parts of whole blocks, of parts of blocks, and empty ones.
          let count = Int.random(in: 0...8, using: &random) * Int.random(in: 0...64, using: &random)
          return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var (one, two) = (hashes[0], hashes[1])
        let (first, second) = (parts[0], parts[1])
        SHA256.update(&one, first.span, &two, second.span)
        hashes = [one, two]
        for text in 0..<2 { texts[text] += parts[text] }
      }
      for text in 0..<2 {
        #expect(hashes[text].finalize() == SHA256.digest(of: texts[text]), "\(random.reproduction)")
      }
    }
  }

  @Test("of a copy does not change with the original, nor does a digest end it")
  func copies() {
    var hash = SHA256()
    hash.update("ab".utf8Span.span)
    let copy = hash
    #expect(hash.finalize() == SHA256.digest(of: Array("ab".utf8)))
    hash.update("c".utf8Span.span)
    hash.update(Span())
    #expect(hash.finalize() == SHA256.digest(of: Array("abc".utf8)))
    #expect(copy.finalize() == SHA256.digest(of: Array("ab".utf8)))
    #expect(copy.finalize() != hash.finalize())
  }

  @Test(
    "HMAC of the texts of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func authenticated(_ key: [UInt8], _ text: String, _ code: String) {
    let bytes = Array(text.utf8)
    #expect(SHA256.authenticationCode(of: bytes.span, key: key).hexadecimal == code)
  }
}
