import ExactArithmetic
import JSON
import Money

/// A value that a column of a list can have.
protocol ListValue {
  /// Whether tables align it to the right.
  static var isFigure: Bool { get }
  var cell: ListCell { get }
}

extension [UInt8]: ListValue {
  static var isFigure: Bool { false }
  /// An empty text is absent.
  var cell: ListCell { isEmpty ? .absent : .text(self) }
}

extension String: ListValue {
  static var isFigure: Bool { false }
  var cell: ListCell { Array(utf8).cell }
}

extension Currency: ListValue {
  static var isFigure: Bool { false }
  var cell: ListCell { code.cell }
}

extension Int: ListValue {
  static var isFigure: Bool { true }
  var cell: ListCell { .number(self) }
}

extension ExactDecimal: ListValue {
  static var isFigure: Bool { true }
  var cell: ListCell { .amount(self) }
}

extension JSONTree: ListValue {
  static var isFigure: Bool { false }
  var cell: ListCell { .tree(self) }
}

extension ListCell: ListValue {
  static var isFigure: Bool { true }
  var cell: ListCell { self }
}

extension Optional: ListValue where Wrapped: ListValue {
  static var isFigure: Bool { Wrapped.isFigure }
  var cell: ListCell { self?.cell ?? .absent }
}

extension ExactDecimal {
  /// The amount for people, with grouped thousands: `1 234 567.89`.
  var grouped: String {
    let digits = Array(description.utf8)
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
