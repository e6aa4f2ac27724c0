import ExactArithmetic
import JSON
import Text

/// A value of a list, for people and for programs.
enum ListCell {
  case text([UInt8])
  case number(Int)
  /// A sum of numbers: tables group its thousands.
  case count(ExactDecimal)
  /// Tables group its thousands; in JSON it is a string.
  case amount(ExactDecimal)
  /// A value of JSON that is neither.
  case tree(JSONTree)
  /// Nothing in CSV, null in JSON.
  case absent

  /// The value in JSON.
  var tree: JSONTree {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .number(number)
    case .count(let count): .number(Array(count.description.utf8))
    case .amount(let amount): .string(amount.description)
    case .tree(let tree): tree
    case .absent: .null
    }
  }

  /// The value in a table; nil if it is absent.
  var shown: String? {
    switch self {
    case .text(let text): MessageText.escapedName(text)
    case .number(let number): "\(number)"
    case .count(let figure), .amount(let figure): figure.grouped
    case .tree(let tree): tree.description
    case .absent: nil
    }
  }

  /// Appends the value as a field of CSV.
  func appendCSV(to text: inout TextBuffer) {
    switch self {
    case .text(let bytes): CSV.append(bytes.span, to: &text)
    case .number(let number): text.append(number: number)
    case .count(let amount), .amount(let amount): text.append(amount)
    case .tree(let tree): CSV.append(tree.description, to: &text)
    case .absent: break
    }
  }

  /// Appends the value as JSON.
  func appendJSON(to text: inout TextBuffer) {
    switch self {
    case .text(let bytes): JSONText.append(bytes.span, to: &text)
    case .number(let number): text.append(number: number)
    case .count, .amount, .tree, .absent: tree.write(to: &text)
    }
  }
}
