extension UInt8 {
  /// Whether it is white space in ASCII, line ends included.
  var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

  /// Whether it is a letter in ASCII.
  var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// Whether it is a letter or a digit in ASCII.
  var isAlphanumeric: Bool { isLetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space around them.
  var trimmed: ArraySlice<UInt8> {
    let rest = drop(while: \.isSpace)
    let last = rest.lastIndex { !$0.isSpace }
    return last.map { rest[...$0] } ?? []
  }

  /// Whether a line begins with an option of a command, `-d` or `--data`.
  var isOption: Bool {
    let dashes = trimmed.prefix { $0 == UInt8(ascii: "-") }
    return 1...2 ~= dashes.count && self[dashes.endIndex...].first?.isLetter == true
  }

  /// The operation of the Adaptive Payments API that an address names, `Pay` in `https://.../AdaptivePayments/Pay?...`;
  /// nil where it names none.
  var operation: String? {
    let path = prefix { !"?=&".utf8.contains($0) }
    guard let folder = path.firstRange(of: "AdaptivePayments/".utf8) else { return nil }
    let name = path[folder.upperBound...].prefix(while: \.isLetter)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// Whether a line begins with an address.
  var isAddress: Bool { trimmed.starts(with: "https://".utf8) || trimmed.starts(with: "http://".utf8) }
}
