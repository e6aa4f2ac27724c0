extension CardNumberMask {
  /// Whether a text surely has no card number: a quick look, for many texts of which few have one.
  ///
  /// It takes more for a number than the mask does. A text with 13 characters that are digits or no ASCII is left to the
  /// mask where not all of it is ASCII.
  public static func rulesOut(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    var digits = 0
    var others = 0
    for index in 0..<count {
      if bytes[index] &- UInt8(ascii: "0") <= 9 { digits += 1 } else if bytes[index] >= 0xC0 { others += 1 }
    }
    if digits + others < lengths.lowerBound { return true }
    guard others == 0 else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits) { run in
      var length = 0
      for index in 0..<count {
        let byte = bytes[index]
        if byte &- UInt8(ascii: "0") <= 9 {
          run[length] = byte - UInt8(ascii: "0")
          length += 1
          if endsNumber(run, length) { return false }
        } else if byte > UInt8(ascii: " "), byte != UInt8(ascii: "-"), byte != UInt8(ascii: "."), byte != 0x7F {
          length = 0
        }
      }
      return true
    }
  }

  /// Whether the last 13 to 19 of a number of digits pass the Luhn check.
  private static func endsNumber(_ digits: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Bool {
    var sum = 0
    for back in 1...lengths.upperBound where back <= count {
      let value = Int(digits[count - back])
      sum += back & 1 == 1 ? value : value > 4 ? 2 * value - 9 : 2 * value
      if back >= lengths.lowerBound, sum % 10 == 0 { return true }
    }
    return false
  }
}
