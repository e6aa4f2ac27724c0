import ExactArithmetic
import Money

/// The amount that an answer states.
enum AnswerAmount {
  /// Cents of a NACHA entry.
  case cents(Int)
  /// A text, which need not be a decimal.
  case text([UInt8])

  /// An amount as an answer keeps it: a short decimal as a number, a longer one as its text.
  struct Kept: Hashable {
    fileprivate static let (none, isText) = (UInt8.max, UInt8.max - 1)
    fileprivate var value: Int64 = 0
    fileprivate var decimals = Kept.none
  }

  /// Whether a text is digits, with or without a point and more digits after it.
  static func isDecimal(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
    return 1...2 ~= parts.count && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } }
  }

  /// The value of a text; nil if it is not a decimal.
  static func value(of text: [UInt8]) -> ExactDecimal? { isDecimal(text) ? decimal(text) : nil }

  /// The value of a decimal, which may have zeros in front.
  fileprivate static func decimal(_ text: [UInt8]) -> ExactDecimal {
    let digits = text.drop { $0 == 0x30 }
    let hasWhole = digits.first.map { $0 != UInt8(ascii: ".") } ?? false
    return ExactDecimal((hasWhole ? "" : "0") + String(decoding: digits, as: UTF8.self))!
  }

  func kept(in texts: inout AnswerTexts) -> Kept {
    switch self {
    case .cents(let cents): return Kept(value: Int64(cents), decimals: 2)
    case .text(let text):
      guard Self.isDecimal(text) else { return Kept() }
      let digits = text.filter { $0 != UInt8(ascii: ".") }
      let decimals = text.firstIndex(of: UInt8(ascii: ".")).map { text.count - $0 - 1 } ?? 0
      // Zeros in front would be lost.
      let isPlain = text.count - decimals <= 2 && decimals > 0 || text[0] != UInt8(ascii: "0") || text.count == 1
      guard digits.count <= 18, isPlain else {
        return Kept(value: Int64(texts.place(of: text)), decimals: Kept.isText)
      }
      return Kept(value: digits.reduce(0) { 10 * $0 + Int64($1 - 0x30) }, decimals: UInt8(decimals))
    }
  }
}

extension AnswerAmount.Kept {
  /// Its value; nil if it is not a decimal, or none is given.
  func value(in texts: AnswerTexts) -> ExactDecimal? {
    switch decimals {
    case Self.none: nil
    case Self.isText: AnswerAmount.decimal(texts[UInt32(value)])
    default: ExactDecimal(Int(value), exponent: -Int(decimals))
    }
  }

  /// Its own text, with at least the currency's decimals; empty if it is not a decimal, or none is given.
  func text(_ currency: Currency?, in texts: AnswerTexts) -> [UInt8] {
    guard let value = value(in: texts) else { return [] }
    var text = decimals == Self.isText ? texts[UInt32(self.value)] : Array(value.description.utf8)
    guard let currency else { return text }
    let given = text.firstIndex(of: UInt8(ascii: ".")).map { text.count - $0 - 1 } ?? 0
    let missing = currency.settlementExponent - given
    if missing <= 0 { return text }
    if given == 0 { text.append(UInt8(ascii: ".")) }
    return text + [UInt8](repeating: 0x30, count: missing)
  }
}
