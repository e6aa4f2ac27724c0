extension HTMLWriter {
  /// Writes a text of a batch, isolated from the text around it.
  ///
  /// Each invisible character, including those that change the writing direction, gets its own element, which shows its
  /// number and limits its effect. The element's text is still the original text, character by character.
  func foreign(_ text: String) {
    element("bdi") {
      var seen = ""
      for scalar in text.unicodeScalars {
        guard Self.isUnseen(scalar) else {
          seen.unicodeScalars.append(scalar)
          continue
        }
        breakable(seen)
        seen = ""
        let number = String(scalar.value, radix: 16, uppercase: true)
        let title = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
        element("bdi", ["class": "unseen", "title": title]) {
          // HTML cannot represent a control character.
          characterReference(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
      }
      breakable(seen)
    }
  }

  /// Writes a text that may be broken after `@`, `/` and `_`.
  func breakable(_ text: String) {
    var rest = text[...]
    while let mark = rest.firstIndex(where: { "@/_".contains($0) }), rest.index(after: mark) < rest.endIndex {
      let end = rest.index(after: mark)
      self.text(String(rest[..<end]))
      element("wbr")
      rest = rest[end...]
    }
    self.text(String(rest))
  }

  /// Controls, format characters, line and paragraph separators, and all other characters that are drawn as nothing.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The most characters of a figure that is never broken: up to a trillion with two decimals.
  private static let mostUnbroken = 15

  /// Writes a figure as written in a report. Its digits are grouped by styling: the text has no separators. A long
  /// figure may be broken between groups.
  func figure(_ figure: String) {
    let isLong = figure.utf8.count > Self.mostUnbroken
    element("data", ["class": isLong ? "long" : nil, "value": figure]) {
      let whole = figure.prefix { $0 != "." }
      let digits = whole.drop { $0 == "-" }
      guard digits.count > 3 else { return text(figure) }
      var start = digits.index(digits.startIndex, offsetBy: (digits.count - 1) % 3 + 1)
      text(String(figure[..<start]))
      while start < digits.endIndex {
        let end = digits.index(start, offsetBy: 3)
        if isLong { element("wbr") }
        element("span", text: String(end == digits.endIndex ? figure[start...] : figure[start..<end]))
        start = end
      }
    }
  }

  /// Writes a sentence of the page itself, with its counts grouped like all figures.
  func sentence(_ sentence: String) {
    var rest = sentence[...]
    while let start = rest.firstIndex(where: \.isNumber) {
      let digits = rest[start...].prefix { $0.isNumber }
      text(String(rest[..<start]))
      if digits.count > 3 { figure(String(digits)) } else { text(String(digits)) }
      rest = rest[digits.endIndex...]
    }
    text(String(rest))
  }

  /// Writes an element that contains a sentence of the page itself.
  func element(_ name: StaticString, _ attributes: Attributes = [:], sentence: String) {
    element(name, attributes) { self.sentence(sentence) }
  }

  /// Writes an amount or a count.
  func figure(_ figure: some CustomStringConvertible) { self.figure(figure.description) }
}
