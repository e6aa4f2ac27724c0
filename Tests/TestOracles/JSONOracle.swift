import Input
import Foundation

/// Foundation's JSON reader judges what is JSON, corrected for its known deviations.
///
/// Unlike RFC 8259 and the specification, it
/// - accepts a comma before a closing bracket or brace,
/// - skips a byte order mark, and accepts texts in UTF-16 and UTF-32, which it recognizes by their zero bytes,
/// - refuses numbers that a Double cannot represent,
/// - allows 512 levels instead of the 64 of a line.
public enum JSONOracle {
  /// What a line is.
  public static func form(_ text: [UInt8]) -> RecordForm {
    guard String(validating: text, as: UTF8.self) != nil else { return .invalidUTF8 }
    // Neither is ever part of JSON outside strings; a zero byte is not allowed in strings either.
    if text.contains(0) || text.starts(with: [0xEF, 0xBB, 0xBF]) { return .malformed }
    let outside = withoutStrings(text)
    if hasTrailingComma(outside) || levels(of: outside) > RecordScanner.maximumDepth { return .malformed }
    let options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    guard (try? JSONSerialization.jsonObject(with: Data(tame(text)), options: options)) != nil else {
      return .malformed
    }
    return outside.first { $0 > 0x20 } == UInt8(ascii: "{") ? .object : .notAnObject
  }

  /// For each byte whether it is in a string, quotes included.
  private static func stringPlaces(_ text: [UInt8]) -> [Bool] {
    var isInside = false
    var isEscaped = false
    return text.map { byte in
      if isInside {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInside = false
        }
        return true
      }
      isInside = byte == UInt8(ascii: "\"")
      return isInside
    }
  }

  /// The text with an `s` in place of each byte of a string.
  private static func withoutStrings(_ text: [UInt8]) -> [UInt8] {
    zip(text, stringPlaces(text)).map { $1 ? UInt8(ascii: "s") : $0 }
  }

  /// The most objects and arrays that are open at once.
  private static func levels(of outside: [UInt8]) -> Int {
    var (open, most) = (0, 0)
    for byte in outside {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
      most = max(most, open)
    }
    return most
  }

  private static func hasTrailingComma(_ outside: [UInt8]) -> Bool {
    let marks = outside.filter { $0 > 0x20 }
    return zip(marks, marks.dropFirst()).contains {
      $0 == UInt8(ascii: ",") && ($1 == UInt8(ascii: "]") || $1 == UInt8(ascii: "}"))
    }
  }

  /// The text with all exponents cut to one digit and all other runs of digits to twenty, so that the numbers fit a
  /// Double. The rest still shows whether a number is valid.
  private static func tame(_ text: [UInt8]) -> [UInt8] {
    var tamed: [UInt8] = []
    var most = 20
    var digits = 0
    for (byte, isString) in zip(text, stringPlaces(text)) {
      if !isString, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        digits += 1
        if digits > most { continue }
      } else {
        let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        if isString || !isSign { most = !isString && byte | 0x20 == UInt8(ascii: "e") ? 1 : 20 }
        digits = 0
      }
      tamed.append(byte)
    }
    return tamed
  }
}
