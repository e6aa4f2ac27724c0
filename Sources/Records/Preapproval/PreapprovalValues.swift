/// What a record of type preapproval does with its agreement.
public enum PreapprovalAction: FixedText, WireValue {
  case create = "CREATE"
  /// Puts it into effect, at most three hours later.
  case confirm = "CONFIRM"
  case cancel = "CANCEL"
}

/// The calendar period in UTC by which an agreement's payments are counted.
public enum PaymentPeriod: FixedText, WireValue {
  /// The whole life of the agreement.
  case unspecified = "NO_PERIOD_SPECIFIED"
  case daily = "DAILY"
  /// A week, Sunday to Saturday.
  case weekly = "WEEKLY"
  /// Two such weeks; the first pair begins with the week of the agreement's first day.
  case biweekly = "BIWEEKLY"
  /// The days 1 to 15, or 16 to the last, of a month.
  case semimonthly = "SEMIMONTHLY"
  case monthly = "MONTHLY"
  case annually = "ANNUALLY"

  /// The days of the period that contains a day; nil without periods.
  ///
  /// - Parameter first: the agreement's first day.
  public func days(around day: CalendarDay, first: CalendarDay) -> ClosedRange<CalendarDay>? {
    let (year, month) = (day.year, day.month)
    func from(_ start: CalendarDay, count: Int) -> ClosedRange<CalendarDay> {
      start...CalendarDay(number: start.number + count - 1)
    }
    switch self {
    case .unspecified: return nil
    case .daily: return day...day
    case .weekly: return from(day.startOfWeek, count: 7)
    case .biweekly:
      let anchor = first.startOfWeek.number
      let weeks = day.startOfWeek.number - anchor
      return from(CalendarDay(number: anchor + (weeks >= 0 ? weeks / 14 : (weeks - 13) / 14) * 14), count: 14)
    case .semimonthly:
      return day.day <= 15
        ? CalendarDay(year: year, month: month, day: 1)...CalendarDay(year: year, month: month, day: 15)
        : CalendarDay(year: year, month: month, day: 16)...day.endOfMonth
    case .monthly: return CalendarDay(year: year, month: month, day: 1)...day.endOfMonth
    case .annually: return CalendarDay(year: year, month: 1, day: 1)...CalendarDay(year: year, month: 12, day: 31)
    }
  }
}

/// The weekday on which an agreement's payments may be made.
public enum DayOfWeek: FixedText, WireValue {
  /// Any weekday.
  case any = "NO_DAY_SPECIFIED"
  /// From Sunday on; `CalendarDay.weekday` counts from 0 instead.
  case sunday = "SUNDAY"
  case monday = "MONDAY"
  case tuesday = "TUESDAY"
  case wednesday = "WEDNESDAY"
  case thursday = "THURSDAY"
  case friday = "FRIDAY"
  case saturday = "SATURDAY"
}

/// Whether an agreement's payments need the sender's PIN.
public enum PINType: FixedText, WireValue {
  /// They do not need it.
  case notRequired = "NOT_REQUIRED"
  /// They need it.
  case required = "REQUIRED"
}

/// The party that bears the fees of an agreement's payments: `FeePayer` with the names of agreements, in the same
/// order.
public enum FeesPayer: FixedText, WireValue {
  /// The values of `FeePayer`.
  case eachReceiver = "EACHRECEIVER"
  case sender = "SENDER"
  case primaryReceiver = "PRIMARYRECEIVER"
  case secondaryOnly = "SECONDARYONLY"

  /// The value that a payment's `feePayer` must have.
  public var feePayer: FeePayer { FeePayer(number: number)! }
}
