import Records

/// PKWARE's zip without compression: each member a header and its bytes, at the end a directory of all.
///
/// What does not fit into 32 bits, or 16 bits if it counts members, stands in the fields of zip64.
enum ZipFormat {
  /// A file that its owner may read and write.
  struct Member {
    let path: String
    let length: Int
    let checksum: CRC32
    /// The day whose first second it is of; days before 1980 and after 2107 are the first and last that zip knows.
    let day: UTCTime
    /// Where its header begins in the archive.
    let offset: Int

    /// What stands before its bytes.
    var header: [UInt8] {
      var bytes = ZipFormat.little(UInt32(0x0403_4B50))
      let isLarge = length >= ZipFormat.limit32
      appendFields(isLarge: isLarge, extra: isLarge ? 20 : 0, to: &bytes)
      bytes += path.utf8
      if isLarge { bytes += ZipFormat.little(UInt16(1), 16) + ZipFormat.little(UInt64(length), UInt64(length)) }
      return bytes
    }

    /// What stands in the archive's directory.
    var directoryEntry: [UInt8] {
      // Version 4.5, of Unix.
      var bytes = ZipFormat.little(UInt32(0x0201_4B50)) + ZipFormat.little(UInt16(3 << 8 | 45))
      let isLarge = max(length, offset) >= ZipFormat.limit32
      appendFields(isLarge: isLarge, extra: isLarge ? 28 : 0, to: &bytes)
      // No comment, the first disk, no text.
      bytes += ZipFormat.little(UInt16(0), 0, 0)
      bytes += ZipFormat.little(UInt32(0o100600) << 16, isLarge ? .max : UInt32(offset))
      bytes += path.utf8
      if isLarge {
        bytes += ZipFormat.little(UInt16(1), 24) + ZipFormat.little(UInt64(length), UInt64(length), UInt64(offset))
      }
      return bytes
    }

    /// The fields that header and directory have in common.
    private func appendFields(isLarge: Bool, extra: UInt16, to bytes: inout [UInt8]) {
      let date =
        day.year < 1980
        ? 1 << 5 | 1 : day.year > 2107 ? 127 << 9 | 12 << 5 | 31 : (day.year - 1980) << 9 | day.month << 5 | day.day
      // The version that is needed, no flags, stored, midnight.
      bytes += ZipFormat.little(UInt16(isLarge ? 45 : 10), 0, 0, 0, UInt16(date))
      let size = isLarge ? UInt32.max : UInt32(length)
      bytes += ZipFormat.little(checksum.value, size, size) + ZipFormat.little(UInt16(path.utf8.count), extra)
    }
  }

  /// What ends an archive of so many members, whose directory stands there.
  static func end(members: Int, directory: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    let isLarge = members >= Int(UInt16.max) || directory.upperBound >= limit32
    if isLarge {
      bytes += little(UInt32(0x0606_4B50)) + little(UInt64(44)) + little(UInt16(3 << 8 | 45), 45) + little(UInt32(0), 0)
      bytes += little(UInt64(members), UInt64(members), UInt64(directory.count), UInt64(directory.lowerBound))
      bytes += little(UInt32(0x0706_4B50), 0) + little(UInt64(directory.upperBound)) + little(UInt32(1))
    }
    let count = isLarge ? UInt16.max : UInt16(members)
    bytes += little(UInt32(0x0605_4B50)) + little(UInt16(0), 0, count, count)
    bytes += isLarge ? little(UInt32.max, .max) : little(UInt32(directory.count), UInt32(directory.lowerBound))
    return bytes + little(UInt16(0))
  }

  /// From here on a number stands in a field of zip64.
  private static let limit32 = Int(UInt32.max)

  private static func little<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
    numbers.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
  }
}

/// The checksum of zip and gzip (ISO 3309), eight bytes at a time.
struct CRC32 {
  /// Table `n` has what a byte does to the checksum, `n` bytes further on; 256 entries each.
  private static let tables: [UInt32] = {
    var tables = (0..<256 as Range<UInt32>).map { byte in
      (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
    }
    for place in 256..<8 * 256 {
      let before = tables[place - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()

  /// The checksum of the bytes taken so far.
  private(set) var value: UInt32 = 0

  /// Takes bytes.
  mutating func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
    value = Self.tables.withUnsafeBufferPointer { tables in
      var crc = ~value
      var at = 0
      while count - at >= 8 {
        let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self).littleEndian ^ UInt64(crc)
        crc = 0
        for place in 0..<8 { crc ^= tables[(7 - place) << 8 | Int(word >> UInt64(8 * place) & 0xFF)] }
        at += 8
      }
      while at < count {
        crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[at])) & 0xFF)]
        at += 1
      }
      return ~crc
    }
  }
}
