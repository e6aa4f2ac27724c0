import Records

/// A program that journals are written for.
public enum JournalFormat: String, CaseIterable, Sendable {
  /// hledger, tried with 1.25.
  case hledger
  /// ledger, tried with 3.3.0.
  case ledger
  /// beancount, tried with 2.3.5.
  case beancount

  /// The first day that a transaction can have: ledger knows no day before the year 1400.
  var firstDay: JournalDay {
    self == .ledger ? JournalDay(UTCTime(year: 1400, month: 1, day: 1, hour: 0, minute: 0, second: 0)) : .first
  }

  /// The last day that a transaction can have: a balance in beancount is that of the morning, so a day must follow.
  var lastDay: JournalDay {
    self == .beancount ? JournalDay(UTCTime(year: 9999, month: 12, day: 30, hour: 0, minute: 0, second: 0)) : .last
  }
}
