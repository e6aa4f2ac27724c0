import Ledger
import Records
import Text

extension RunLedger {
  /// Warns if what was just entered is booked in a month that is over. It is entered and published whatever comes of this.
  package func warnOfChange(by id: EntryID, note: (String) -> Void) {
    guard let order = try? BookingOrder(ledger.history()), let day = order.booked[id] else { return }
    warn(ofChangeBy: id, on: day, note: note)
  }

  /// Warns if a payout of a date would be booked in a month that is over.
  package func warnOfChange(by id: EntryID, ofDate date: CalendarDay, note: (String) -> Void) {
    guard let order = try? BookingOrder(ledger.history()) else { return }
    let day = BookingOrder.day(ofPayout: date, entered: .today, keepsNext: true)
    warn(ofChangeBy: id, on: max(order.days.last ?? day, day), note: note)
  }

  private func warn(ofChangeBy id: EntryID, on day: CalendarDay, note: (String) -> Void) {
    guard let change = BookingOrder.change(ofMonthOf: day, today: .today) else { return }
    let until = day.endOfMonth.text
    note(
      "\(id) is booked on \(day.text): it \(change). Make again what you have of that month: settle balances --ledger "
        + "\(ShellWord.quoted(shown)) --until \(until)")
  }
}
