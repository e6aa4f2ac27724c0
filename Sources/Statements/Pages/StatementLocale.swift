/// How a page shows words, amounts and dates (`locales.md`), by the tables in `data/` and not by a library's.
public struct StatementLocale: Sendable {
  /// Its name, such as `de_DE`.
  public let name: String
  /// The index of its language among the columns of `strings.csv`.
  let language: Int
  /// Its tag by BCP 47.
  let tag: String
  /// The separators between units and decimals, and between groups of digits.
  let (decimal, group): (String, String)
  /// The number of digits in a group; the last group always has three.
  var laterDigits = 3
  /// `YYYY`, `MM` and `DD` are year, month and day.
  let date: String
  /// The CSS name of its paper size.
  var paper = "A4"
}

extension StatementLocale {
  /// `en_US`.
  static var `default`: StatementLocale { Self("en_US")! }

  /// The locale of this name, or nil.
  public init?(_ name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// A word in its language.
  func word(_ word: StatementWord) -> String { StatementWord.byLanguage[language][word.rawValue] }

  /// An amount from the CSV, in the locale's form with grouped digits.
  func amount(_ text: String) -> String {
    let (sign, rest) = text.hasPrefix("-") ? ("-", text.dropFirst()) : ("", text[...])
    var whole = rest.prefix { $0 != "." }
    let decimals = rest.dropFirst(whole.count + 1)
    var groups: [Substring] = []
    while let digits = Optional(groups.isEmpty ? 3 : laterDigits), whole.count > digits {
      groups.append(whole.suffix(digits))
      whole.removeLast(digits)
    }
    groups.append(whole)
    return sign + groups.reversed().joined(separator: group) + (decimals.isEmpty ? "" : decimal + decimals)
  }

  /// A date written as `YYYY-MM-DD`.
  func date(_ text: String) -> String {
    let parts = text.split(separator: "-")
    return date.replacing("YYYY", with: parts[0]).replacing("MM", with: parts[1]).replacing("DD", with: parts[2])
  }
}
