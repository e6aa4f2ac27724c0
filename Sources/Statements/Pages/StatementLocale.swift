/// How a statement that people read shows words, amounts and dates (`locales.md`): the tables in `data/` are the rule, not
/// a library's.
public struct StatementLocale: Sendable {
  /// Its name, such as `de_DE`.
  public let name: String
  /// The place of its language among the columns of `strings.csv`.
  let language: Int
  /// Its tag by BCP 47.
  let tag: String
  /// What stands between units and decimals, and between groups of digits.
  let (decimal, group): (String, String)
  /// How many digits a group has; the last one always three.
  var laterDigits = 3
  /// `YYYY`, `MM` and `DD` stand for year, month and day.
  let date: String
  /// The size of its paper, as CSS names it.
  var paper = "A4"
}

extension StatementLocale {
  /// `en_US`.
  static var `default`: StatementLocale { Self("en_US")! }

  /// The locale of a name; nil if there is none.
  public init?(_ name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// A word in its language.
  func word(_ word: StatementWord) -> String { StatementWord.byLanguage[language][word.rawValue] }

  /// An amount as CSV has it, with its digits grouped.
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
