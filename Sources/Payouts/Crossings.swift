import ExactArithmetic
import Ledger
import Text

/// The adjustments that turn a balance from above zero to below, or back: perhaps one has a wrong amount or account.
struct Crossings {
  private(set) var count = 0
  /// The first of them, by key.
  private var first: [(key: String, text: String)] = []

  /// Takes a change of a book's current balance, which it has just been added to.
  mutating func add(_ change: BookReading.Change, to book: BookReading) {
    // What is entered was looked at then.
    guard change.place == nil, case .adjusted(let note) = change.note else { return }
    let (before, after) = (book.closing - change.amount, book.closing)
    guard !before.isZero, !after.isZero, before.isNegative != after.isNegative else { return }
    count += 1
    let key = note.key
    if first.count == FirstTen.most, first.last.map({ $0.key < key }) ?? false { return }
    let text = "\(key), \(MessageText.identifier(book.account)), \(book.currency.code) \(before) to \(after)"
    first.insert((key, text), at: first.firstIndex { key < $0.key } ?? first.endIndex)
    if first.count > FirstTen.most { first.removeLast() }
  }

  /// What someone should look at; nil without such an adjustment.
  var warning: String? {
    if count == 0 { return nil }
    let others = count - first.count
    return "adjustments that cross zero: \(count): \(first.map(\.text).joined(separator: "; "))"
      + (others > 0 ? "; and \(others) others" : "")
      + ". They are booked. If an amount or account is wrong, book another adjustment that takes it back"
  }
}
