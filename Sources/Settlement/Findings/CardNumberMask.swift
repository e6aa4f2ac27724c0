import BatchFile

/// Hides card numbers in texts that come from a batch: at most the first six and the last four digits stay.
///
/// A card number is 13 to 19 digits that pass the Luhn check, written together or with spaces or dashes between them.
/// Digits of every script count, and so does every space and dash there is, up to three in a row; so do control and
/// format characters, which nobody sees, and points.
public struct CardNumberMask {
  /// How many digits a card number has.
  static let lengths = 13...19
  /// The most characters between two digits of a number.
  static let mostBetween = 3
  /// The most characters of a number with what stands between its digits.
  static let mostCharacters = lengths.upperBound + (lengths.upperBound - 1) * mostBetween

  /// A digit of a run: where it stands, in how many bytes, and what it says.
  private struct Digit {
    let offset: Int
    let length: Int
    let value: Int
    var isHidden = false
  }

  /// What a character is to a number.
  private enum Part {
    case digit(Int)
    case between
    case other
  }

  /// Whether a point between digits belongs to a number; it does not in an amount.
  private let takesPoints: Bool

  /// A mask for texts; for amounts, whose points end a number, `takesPoints` is false.
  public init(takesPoints: Bool = true) { self.takesPoints = takesPoints }

  /// Replaces the inner digits of every card number in a UTF-8 text by `*`, a byte for a digit.
  ///
  /// Bytes that are not UTF-8 end a number. A text without one is not changed and not copied.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func apply(to text: inout [UInt8]) -> Bool {
    guard text.count >= Self.lengths.lowerBound else { return false }
    var hidden: [Digit] = []
    var run: [Digit] = []
    var between = 0
    text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      var at = 0
      while at < bytes.count {
        let length = UTF8Text.sequenceLength(start + at, count: bytes.count - at)
        switch part(start + at, length: length) {
        case .digit(let value):
          run.append(Digit(offset: at, length: length, value: value))
          between = 0
        case .between where between < Self.mostBetween: between += 1
        case .between, .other:
          if !run.isEmpty { hidden += Self.hidden(of: &run) }
        }
        at += max(1, length)
      }
      hidden += Self.hidden(of: &run)
    }
    Self.hide(hidden, in: &text)
    return !hidden.isEmpty
  }

  /// Writes `*` for digits, in their order: each stretch between two of them is moved once, towards the front.
  private static func hide(_ digits: [Digit], in text: inout [UInt8]) {
    var into = 0
    var from = 0
    for digit in digits {
      while from < digit.offset {
        text[into] = text[from]
        into += 1
        from += 1
      }
      text[into] = UInt8(ascii: "*")
      into += 1
      from += digit.length
    }
    guard into < from else { return }
    text.replaceSubrange(into..<from, with: EmptyCollection())
  }

  /// A string with its card numbers masked.
  public func masked(_ string: String) -> String {
    var bytes = Array(string.utf8)
    apply(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func part(_ bytes: UnsafePointer<UInt8>, length: Int) -> Part {
    if length == 1 {
      switch bytes[0] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit(Int(bytes[0] - UInt8(ascii: "0")))
      case UInt8(ascii: "-"), 0...UInt8(ascii: " "), 0x7F: return .between
      case UInt8(ascii: "."): return takesPoints ? .between : .other
      default: return .other
      }
    }
    guard length > 1, let scalar = UTF8Text.scalar(bytes, length: length) else { return .other }
    let properties = scalar.properties
    // Digits of other scripts, full-width, superscript or in circles.
    if let type = properties.numericType, type != .numeric, let value = properties.numericValue {
      return .digit(Int(value) % 10)
    }
    switch properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .dashPunctuation, .control, .format: return .between
    // A minus and dashes that are no punctuation to Unicode; marks that are drawn on the digit before.
    case .mathSymbol where properties.isDash: return .between
    case .nonspacingMark, .enclosingMark: return .between
    default: return .other
    }
  }

  /// The digits to hide in a run of digits, which is emptied.
  private static func hidden(of run: inout [Digit]) -> [Digit] {
    defer { run.removeAll(keepingCapacity: true) }
    guard run.count >= lengths.lowerBound else { return [] }
    // Sums up to each digit, as the Luhn check doubles every other one: those at even places, or those at odd ones.
    var sums = [[0], [0]]
    for (place, digit) in run.enumerated() {
      let doubled = digit.value > 4 ? 2 * digit.value - 9 : 2 * digit.value
      for parity in 0...1 { sums[parity].append(sums[parity][place] + (place & 1 == parity ? doubled : digit.value)) }
    }
    for first in 0...(run.count - lengths.lowerBound) {
      // The longest that begins here hides what shorter ones would.
      for length in lengths.reversed() where first + length <= run.count {
        let parity = (first + length) & 1
        guard (sums[parity][first + length] - sums[parity][first]) % 10 == 0 else { continue }
        for place in first + 6..<first + length - 4 { run[place].isHidden = true }
        break
      }
    }
    return run.filter(\.isHidden)
  }
}
