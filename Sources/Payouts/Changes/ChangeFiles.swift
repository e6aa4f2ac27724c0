import Failures
import Ledger

/// The changes of one kind, from all files that list them.
final class ChangeFiles<Note: ListedNote> {
  typealias Row = ListFiles<Note.File>.Row

  let list: ListFiles<Note.File>
  /// The rows to book, in the order of their keys, once `resolve` has found no fault.
  private var rows: [Row] = []
  /// Their amounts, unless the rows name them.
  private var amounts: [AccountAmount] = []
  /// The number of changes that an earlier payout has booked in the same way.
  private(set) var skipped = 0

  init(_ paths: [String]) { list = ListFiles(paths) }

  /// Looks the changes up, and compares them with those that are booked.
  ///
  /// - Parameter payout: the payout that books them; nil for the next one.
  func resolve(_ lookup: PayoutLookup, before payout: PayoutEntry?) throws(Failure) {
    if list.files.isEmpty { return }
    try list.forEachKey { row throws(Failure) in
      let found = try Note.find(list.bytes(0, of: row), lookup, before: payout)
      if case .fault(let code) = found { return code }
      if list.isFaulty(row) { return nil }
      if case .amount(let amount) = found { amounts.append(amount) }
      rows.append(row)
      return nil
    }
    var (isBooked, isSame) = (Array(repeating: false, count: rows.count), Array(repeating: false, count: rows.count))
    try lookup.forEach(Note.self, before: payout) { booked in
      // An adopted payout may have booked a row under another key.
      let keys: [(key: Note.Key?, isOwn: Bool)] = [
        (booked.change.note.key, true), (booked.change.note.listedKey, false),
      ]
      for (key, isOwn) in keys {
        guard let key, let place = find(Note.bytes(of: key)) else { continue }
        if isOwn { isBooked[place] = true }
        if booked.change.isListed(as: change(place)) { isSame[place] = true }
      }
    }
    for place in rows.indices where isBooked[place] {
      if isSame[place] { skipped += 1 } else { list.note(Note.bookedFault, rows[place], column: 0) }
    }
    func keepNew<Element>(_ all: inout [Element]) {
      var place = -1
      all.removeAll { _ in
        place += 1
        return isBooked[place]
      }
    }
    keepNew(&rows)
    keepNew(&amounts)
  }

  /// Where the row with a key is; nil without such a row.
  private func find(_ wanted: [UInt8]) -> Int? {
    var (lower, upper) = (0, rows.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      let order = list.rows(rows[middle]).with(0, of: Int(rows[middle].row)) { $0.compare(wanted.span) }
      if order == 0 { return middle }
      if order < 0 { lower = middle + 1 } else { upper = middle }
    }
    return nil
  }

  private func change(_ place: Int) -> Change<Note> { change(rows[place], amounts.isEmpty ? nil : amounts[place]) }

  private func change(_ row: Row, _ amount: AccountAmount?) -> Change<Note> {
    Note.change(list.files[Int(row.file)].content, Int(row.row), amount)
  }

  // MARK: Booking

  /// Passes on the changes to book, in the order of their keys.
  func forEach(_ take: (Change<Note>) throws(Failure) -> Void) throws(Failure) {
    for place in rows.indices { try take(change(place)) }
  }

  /// The changes to book, in the order of their keys.
  var all: [Change<Note>] { rows.indices.map(change) }

  /// Enters the changes to book in a list, and finishes it.
  func enter(in entries: AccountEntries) throws(Failure) {
    guard amounts.isEmpty else { return try entries.finish(with: all) }
    // Not all of them at once: there may be millions.
    for row in list.sorted(rows, by: Note.File.holder + [0]) { try entries.append(change(row, nil)) }
    try entries.finish()
  }
}
