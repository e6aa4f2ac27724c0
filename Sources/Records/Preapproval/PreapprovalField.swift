/// The fields of a preapproval. Only a `CREATE` has the terms.
@frozen
public enum PreapprovalField: LevelField {
  /// What the record does with the agreement.
  case action
  /// When that was done.
  case createdAt
  /// The currency of the limits and the payments.
  case currencyCode
  /// The day of the month on which payments may be made.
  case dateOfMonth
  /// The weekday on which payments may be made.
  case dayOfWeek
  /// The last day.
  case endingDate
  /// The party that bears the payments' fees.
  case feesPayer
  /// The address for notifications.
  case ipnUrl
  /// The most that one payment may cost the sender.
  case maxAmountPerPayment
  case maxNumberOfPayments
  case maxNumberOfPaymentsPerPeriod
  /// The most that all payments may cost the sender.
  case maxTotalAmountOfAllPayments
  case paymentPeriod
  /// Whether payments need the sender's PIN.
  case pinType
  case preapprovalKey
  /// The sender's account.
  case senderEmail
  /// The first day.
  case startingDate
  case type

  /// The fields of every action.
  static let common: [PreapprovalField] = [.action, .createdAt, .ipnUrl, .preapprovalKey, .type]

  /// The terms of the agreement, only in a `CREATE`.
  static let terms = allCases.filter { !common.contains($0) && $0 != .senderEmail }

  /// The fields that a record with an action has; for an unknown action, the fields of all actions.
  public static func fields(of action: PreapprovalAction?) -> [PreapprovalField] {
    switch action {
    case .create: allCases
    case .confirm: common + [.senderEmail]
    case .cancel: common
    case nil: allCases
    }
  }

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .action: .value("action", of: PreapprovalAction.self)
    case .createdAt: .createdAt
    case .currencyCode: FieldDefinition("currencyCode", .string)
    case .dateOfMonth: FieldDefinition("dateOfMonth", .count, "a number from 0 to 31 in digits alone")
    case .dayOfWeek: .value("dayOfWeek", of: DayOfWeek.self, "NO_DAY_SPECIFIED or SUNDAY to SATURDAY")
    case .endingDate: .date("endingDate")
    case .feesPayer: .value("feesPayer", of: FeesPayer.self)
    case .ipnUrl: .ipnUrl
    case .maxAmountPerPayment: FieldDefinition("maxAmountPerPayment", .decimal)
    case .maxNumberOfPayments: .count("maxNumberOfPayments")
    case .maxNumberOfPaymentsPerPeriod: .count("maxNumberOfPaymentsPerPeriod")
    case .maxTotalAmountOfAllPayments: FieldDefinition("maxTotalAmountOfAllPayments", .decimal)
    case .paymentPeriod: .value("paymentPeriod", of: PaymentPeriod.self)
    case .pinType: .value("pinType", of: PINType.self)
    case .preapprovalKey: FieldDefinition("preapprovalKey", .string, PayKey.expected)
    case .senderEmail: FieldDefinition("senderEmail", .string)
    case .startingDate: .date("startingDate")
    case .type: FieldDefinition("type", .string)
    }
  }
}

extension FieldDefinition {
  fileprivate static func date(_ name: StaticString) -> FieldDefinition {
    FieldDefinition(name, .string, "a date like 2026-11-20Z or an RFC 3339 date-time")
  }

  fileprivate static func count(_ name: StaticString) -> FieldDefinition {
    FieldDefinition(name, .count, "a number from 1 to 999999999 in digits alone")
  }
}
