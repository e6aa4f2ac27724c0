import Input
import Rules
import Text

/// Texts of a batch made fit for a statement: they stand at the end of a buffer, as the batch has them, and are changed
/// there.
///
/// Card numbers are masked. Tabs and line endings stay, within quotes; any other control character becomes a space, and so
/// does U+2028 or U+2029: some consumers stop at a NUL, and others take each of these for the end of a line. Characters
/// that turn the line around are control characters, too.
enum FreeText {
  /// What the characters of a text ask for.
  private struct Traits {
    var hasControls = false
    var hasBackslash = false
    /// Whether RFC 4180 wants quotes.
    var needsQuotes = false

    init(_ bytes: UnsafePointer<UInt8>, count: Int) {
      for index in 0..<count {
        let byte = bytes[index]
        switch byte {
        case 0x0A, 0x0D:
          hasControls = true
          needsQuotes = true
        // Some control characters, and U+2028 and U+2029, have two or three bytes.
        case 0..<0x20, 0x7F, 0xC2, 0xE2: hasControls = true
        case UInt8(ascii: "\""), UInt8(ascii: ","): needsQuotes = true
        case UInt8(ascii: "\\"): hasBackslash = true
        default: continue
        }
      }
    }
  }

  /// What was done to a text.
  struct Changes: OptionSet {
    let rawValue: UInt8
    /// Backslashes were removed.
    static let backslashes = Changes(rawValue: 1)
    /// It was left out.
    static let leftOut = Changes(rawValue: 2)
    /// A card number in it was masked.
    static let masked = Changes(rawValue: 4)
  }

  /// The most bytes of a Custom Field without a dot.
  static let longestWithoutDot = 20

  /// Makes the text from `start` on a Custom Field's, without its quotes.
  ///
  /// Backslashes at its end are removed, and so are those before a double quote, where a reader that takes a backslash
  /// for an escape (PHP's) loses its way. A text of more than 20 bytes without a dot is left out.
  static func makeCustomField(from start: Int, in text: inout TextBuffer) -> Changes {
    let traits = Traits(text.bytes + start, count: text.count - start)
    if traits.hasControls { replaceControls(from: start, in: &text) }
    var changes: Changes = []
    if traits.hasBackslash, removeBackslashes(from: start, in: &text) { changes.insert(.backslashes) }
    let count = text.count - start
    if count > longestWithoutDot,
      !UnsafeBufferPointer(start: text.bytes + start, count: count).contains(UInt8(ascii: "."))
    {
      text.truncate(to: start)
      return [.leftOut]
    }
    if CardNumberMask.apply(to: text.bytes + start, count: count) { changes.insert(.masked) }
    if traits.needsQuotes { doubleQuotes(from: start, in: &text) }
    return changes
  }

  /// Makes the text from `start` on a field of a CSV file by RFC 4180, quoted where it must be.
  ///
  /// One that a spreadsheet could take for a formula, as it begins with `=`, `+`, `-`, `@`, tab or CR, is preceded by `'`.
  static func makeField(from start: Int, in text: inout TextBuffer) -> Changes {
    guard text.count > start else { return [] }
    let traits = Traits(text.bytes + start, count: text.count - start)
    if traits.hasControls { replaceControls(from: start, in: &text) }
    let changes: Changes = CardNumberMask.apply(to: text.bytes + start, count: text.count - start) ? .masked : []
    switch text.bytes[start] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D:
      insert(UInt8(ascii: "'"), at: start, in: &text)
    default: break
    }
    guard traits.needsQuotes else { return changes }
    doubleQuotes(from: start, in: &text)
    insert(UInt8(ascii: "\""), at: start, in: &text)
    text.append(UInt8(ascii: "\""))
    return changes
  }

  // MARK: Steps

  private static func insert(_ byte: UInt8, at place: Int, in text: inout TextBuffer) {
    let count = text.count - place
    _ = text.reserve(1)
    let bytes = text.bytes + place
    (bytes + 1).update(from: bytes, count: count)
    bytes.pointee = byte
    text.advance(by: 1)
  }

  /// Replaces each control character but tab, LF and CR, U+2028 and U+2029 by a space.
  private static func replaceControls(from start: Int, in text: inout TextBuffer) {
    let bytes = text.bytes
    var at = start
    var end = start
    while at < text.count {
      let length = max(1, UTF8Text.sequenceLength(bytes + at, count: text.count - at))
      let isLineEnd = length == 3 && bytes[at] == 0xE2 && bytes[at + 1] == 0x80 && bytes[at + 2] & 0xFE == 0xA8
      switch UTF8Text.control(bytes + at, length: length) {
      case nil where !isLineEnd, 0x09, 0x0A, 0x0D:
        (bytes + end).update(from: bytes + at, count: length)
        end += length
      default:
        bytes[end] = UInt8(ascii: " ")
        end += 1
      }
      at += length
    }
    text.truncate(to: end)
  }

  /// Removes backslashes at the end and before a double quote; whether there were any.
  private static func removeBackslashes(from start: Int, in text: inout TextBuffer) -> Bool {
    let bytes = text.bytes
    var end = start
    for at in start..<text.count {
      if bytes[at] == UInt8(ascii: "\"") {
        while end > start, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      }
      bytes[end] = bytes[at]
      end += 1
    }
    while end > start, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    defer { text.truncate(to: end) }
    return end < text.count
  }

  /// Doubles each double quote.
  private static func doubleQuotes(from start: Int, in text: inout TextBuffer) {
    let count = text.count - start
    let quotes = UnsafeBufferPointer(start: text.bytes + start, count: count).count { $0 == UInt8(ascii: "\"") }
    guard quotes > 0 else { return }
    _ = text.reserve(quotes)
    let bytes = text.bytes + start
    var to = count + quotes
    for at in (0..<count).reversed() {
      to -= 1
      bytes[to] = bytes[at]
      if bytes[at] == UInt8(ascii: "\"") {
        to -= 1
        bytes[to] = UInt8(ascii: "\"")
      }
    }
    text.advance(by: quotes)
  }
}
