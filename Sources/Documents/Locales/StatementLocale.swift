import Text

/// How a page shows words, amounts and dates (`locales.md`), by the tables in `data/` and not by a library's.
public struct StatementLocale: Sendable {
  /// Its name, such as `de_DE`.
  public let name: String
  /// The index of its language among the columns of `strings.csv`.
  let language: Int
  /// Its tag by BCP 47.
  package let tag: String
  /// The separators between units and decimals, and between groups of digits.
  package let (decimal, group): (String, String)
  /// The number of digits in a group; the last group always has three.
  var laterDigits = 3
  /// `YYYY`, `MM` and `DD` are year, month and day.
  package let date: String
  /// The CSS name of its paper size.
  package var paper = "A4"
}

extension StatementLocale {
  /// `en_US`.
  package static var `default`: StatementLocale { Self("en_US")! }

  /// The locale of this name, or nil.
  public init?(_ name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// A word in its language.
  package func word(_ word: StatementWord) -> String { StatementWord.byLanguage[language][word.rawValue] }

  /// Appends an amount in plain notation in the locale's form, with grouped digits.
  package func append(_ amount: borrowing TextBuffer, to text: inout TextBuffer) {
    var at = 0
    if amount.count > 0, amount[0] == UInt8(ascii: "-") {
      text.append(UInt8(ascii: "-"))
      at = 1
    }
    var point = at
    while point < amount.count, amount[point] != UInt8(ascii: ".") { point += 1 }
    while at < point {
      text.append(amount[at])
      at += 1
      // The last group has three digits.
      let left = point - at
      if left >= 3, (left - 3) % laterDigits == 0 { text.append(group) }
    }
    guard point < amount.count else { return }
    text.append(decimal)
    text.append(amount, point + 1..<amount.count)
  }

  /// An amount in plain notation in the locale's form.
  package func amount(_ text: String) -> String {
    var plain = TextBuffer()
    plain.append(text)
    return TextBuffer.string { append(plain, to: &$0) }
  }

  /// A date written as `YYYY-MM-DD`.
  package func date(_ text: String) -> String {
    let parts = text.split(separator: "-")
    return date.replacing("YYYY", with: parts[0]).replacing("MM", with: parts[1]).replacing("DD", with: parts[2])
  }
}
