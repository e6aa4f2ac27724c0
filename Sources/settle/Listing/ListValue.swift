import ExactArithmetic
import JSON
import Money

/// A value that a column of a list can have.
protocol ListValue: SendableMetatype {
  static var kind: ListKind { get }
  /// The value in JSON; null if it is absent.
  var tree: JSONTree { get }
}

/// How tables show the values of a column.
enum ListKind {
  case text
  /// Aligned to the right.
  case number
  /// Aligned to the right, with grouped thousands.
  case amount
}

extension [UInt8]: ListValue {
  static var kind: ListKind { .text }
  var tree: JSONTree { .given(self) }
}

extension String: ListValue {
  static var kind: ListKind { .text }
  var tree: JSONTree { .given(self) }
}

extension Currency: ListValue {
  static var kind: ListKind { .text }
  var tree: JSONTree { .string(code) }
}

extension Int: ListValue {
  static var kind: ListKind { .number }
  var tree: JSONTree { .number(self) }
}

extension ExactDecimal: ListValue {
  static var kind: ListKind { .amount }
  var tree: JSONTree { .string(description) }
}

extension JSONTree: ListValue {
  static var kind: ListKind { .text }
  var tree: JSONTree { self }
}

extension Optional: ListValue where Wrapped: ListValue {
  static var kind: ListKind { Wrapped.kind }
  var tree: JSONTree { self?.tree ?? .null }
}

extension ExactDecimal {
  /// The amount for people, with grouped thousands: `1 234 567.89`.
  var grouped: String { Self.grouped(Array(description.utf8)) }

  /// The same for the digits of an amount.
  static func grouped(_ digits: [UInt8]) -> String {
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.count
    var grouped: [UInt8] = []
    for (place, digit) in digits.enumerated() {
      let isGroup = place > 0 && place < point && (point - place) % 3 == 0
      if isGroup, digits[place - 1] != UInt8(ascii: "-") { grouped.append(UInt8(ascii: " ")) }
      grouped.append(digit)
    }
    return String(decoding: grouped, as: UTF8.self)
  }
}
