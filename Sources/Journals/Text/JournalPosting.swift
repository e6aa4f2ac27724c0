import ExactArithmetic
import Money
import Text

/// The line of a posting: four spaces (beancount: two), the account, two spaces, the amount and its currency.
struct JournalPosting {
  let format: JournalFormat
  let currency: Currency

  @inline(__always)
  func begin(_ text: inout TextBuffer) {
    text.append(format == .beancount ? "  " : "    ")
  }

  /// Ends a line that already has its account.
  @inline(__always)
  func end(_ amount: ExactDecimal, to text: inout TextBuffer) {
    text.append("  ")
    append(amount, to: &text)
    text.append(UInt8(ascii: "\n"))
  }

  /// Appends an amount and its currency.
  @inline(__always)
  func append(_ amount: ExactDecimal, to text: inout TextBuffer) {
    text.append(amount)
    text.append(UInt8(ascii: " "))
    text.append(currency.code)
  }

  /// Appends a line for each part of a share that is not zero, the highest first.
  func append(_ share: WideEntries.Share, to text: inout TextBuffer) {
    for (number, part) in share.amount.parts.enumerated().reversed() where !part.isZero {
      begin(&text)
      text.append("\(share.account)  \(part) \(WideAmount.name(currency.code, part: number))\n")
    }
  }
}
