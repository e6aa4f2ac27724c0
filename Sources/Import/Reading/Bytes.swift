extension UInt8 {
  /// Whether it is white space in ASCII, line ends included.
  var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

  /// Whether it is a letter in ASCII.
  var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// An ASCII letter in lower case; anything else unchanged.
  var lowercased: UInt8 { isLetter ? self | 0x20 : self }

  /// Whether it is a letter or a digit in ASCII.
  var isAlphanumeric: Bool { isLetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space around them.
  var trimmed: ArraySlice<UInt8> { trimming(\.isSpace) }

  /// The bytes without those at either end for which `isSpace` is true.
  func trimming(_ isSpace: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let rest = drop(while: isSpace)
    return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? []
  }

  /// The operation of the Adaptive Payments API that an address names, `Pay` in `https://.../AdaptivePayments/Pay?...`;
  /// nil if it names none.
  var operation: String? {
    let path = prefix { !"?=&".utf8.contains($0) }
    guard let folder = path.firstRange(of: "AdaptivePayments/".utf8) else { return nil }
    let name = path[folder.upperBound...].prefix(while: \.isLetter)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The pairs of a query between `&`, each split at its first `=`; empty ones are left out.
  var pairs: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (name, pair[name.endIndex...].dropFirst())
    }
  }

  /// The text with percent escapes decoded; nil if an escape is broken or the result is not UTF-8.
  ///
  /// - Parameter plus: the byte that a plus sign becomes.
  func percentDecoded(plus: UInt8 = UInt8(ascii: "+")) -> [UInt8]? {
    func digit(_ byte: UInt8?) -> UInt8? {
      byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var rest = self
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? plus : byte)
        continue
      }
      guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
  }

  /// Whether a line begins with an address.
  var isAddress: Bool { trimmed.starts(with: "https://".utf8) || trimmed.starts(with: "http://".utf8) }
}
