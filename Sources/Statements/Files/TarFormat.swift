/// POSIX's ustar: each member has a header of one block, its bytes, and zeros up to the next block.
enum TarFormat {
  private static let blockLength = 512
  /// The end of an archive.
  static let end = [UInt8](repeating: 0, count: 2 * blockLength)

  /// The number of zeros after a member's bytes.
  static func padding(behind length: Int) -> Int { -length & (blockLength - 1) }

  /// The header of a file of user and group 0, which only its owner may read and write.
  ///
  /// - Parameters:
  ///   - path: at most 100 bytes.
  ///   - modified: seconds since 1970, zero or more.
  static func header(_ path: String, length: Int, modified: Int) -> [UInt8] {
    precondition(path.utf8.count <= 100, "the path is too long for one field")
    var header = [UInt8](repeating: 0, count: blockLength)
    func put(_ bytes: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    func put(_ number: Int, digits: Int, at offset: Int) {
      let octal = String(number, radix: 8).utf8
      if octal.count <= digits {
        put([UInt8](repeating: UInt8(ascii: "0"), count: digits - octal.count) + octal, at: offset)
      } else {
        // Larger numbers as GNU tar writes them: 80 hexadecimal, then the number, highest byte first.
        put([0x80], at: offset)
        put(
          stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }, at: offset + digits - 7)
      }
    }
    put(path.utf8, at: 0)
    put(0o600, digits: 7, at: 100)
    put(0, digits: 7, at: 108)
    put(0, digits: 7, at: 116)
    put(length, digits: 11, at: 124)
    put(modified, digits: 11, at: 136)
    put("        0".utf8, at: 148)
    put("ustar\u{0}00".utf8, at: 257)
    put(header.reduce(0) { $0 + Int($1) }, digits: 6, at: 148)
    header[154] = 0
    return header
  }
}
