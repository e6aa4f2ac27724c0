/// The encodings of one byte a character that expat does not know.
enum ByteEncoding {
  /// The code points of all bytes, -1 for a byte that the encoding does not have; nil for an encoding that is not read.
  static func points(of name: String) -> [Int32]? {
    switch name.uppercased() {
    case "ISO-8859-15": latin9
    case "WINDOWS-1252": windows
    default: nil
    }
  }

  private static let latin1 = (0..<256).map { Int32($0) }

  /// ISO-8859-1 with eight other characters.
  private static let latin9: [Int32] = {
    var points = latin1
    for (byte, point) in [
      (0xA4, 0x20AC), (0xA6, 0x0160), (0xA8, 0x0161), (0xB4, 0x017D), (0xB8, 0x017E), (0xBC, 0x0152), (0xBD, 0x0153),
      (0xBE, 0x0178),
    ] { points[byte] = Int32(point) }
    return points
  }()

  /// ISO-8859-1 with characters in place of most of its controls from 0x80 on.
  private static let windows: [Int32] = {
    let others: [Int32] = [
      0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D,
      -1,
      -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E,
      0x0178,
    ]
    return Array(latin1[..<0x80]) + others + Array(latin1[0xA0...])
  }()
}
