import Text

/// A rejection reason's row in the error table of `rules.md`, and its message.
struct ReasonRow {
  /// How a message is written.
  enum Message {
    /// Always the same words.
    case fixed(StaticString)
    /// `NAME is "VALUE"`, then these words.
    case value(StaticString)
    /// Words, the figure found, words, the figure expected.
    case figures(StaticString, StaticString)
    /// Written by a function of the judgement, which has the details.
    case written((borrowing Judgement, Finding, inout TextBuffer) -> Void)
  }

  typealias Target = RejectionReason.Target

  let code: StaticString
  let payPalErrorID: Int?
  let target: Target
  let message: Message

  static func fixed(_ code: StaticString, _ id: Int?, _ words: StaticString, _ target: Target = .field) -> Self {
    Self(code: code, payPalErrorID: id, target: target, message: .fixed(words))
  }

  static func value(_ code: StaticString, _ id: Int?, _ expected: StaticString, _ target: Target = .field) -> Self {
    Self(code: code, payPalErrorID: id, target: target, message: .value(expected))
  }

  static func figures(_ code: StaticString, _ id: Int?, _ found: StaticString, _ expected: StaticString) -> Self {
    Self(code: code, payPalErrorID: id, target: .field, message: .figures(found, expected))
  }

  static func written(
    _ code: StaticString, _ id: Int?, _ target: Target = .field,
    _ write: @escaping (borrowing Judgement, Finding, inout TextBuffer) -> Void
  ) -> Self {
    Self(code: code, payPalErrorID: id, target: target, message: .written(write))
  }
}
