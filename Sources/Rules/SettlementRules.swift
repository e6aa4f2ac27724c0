import Records

/// The tables and options of a run that decide, with the record, what a record becomes.
public struct SettlementRules: Sendable {
  /// What payments cost (`--fees`).
  public var schedule: FeeSchedule
  /// The profiles of receivers that payments may name (`--splits`).
  public var profiles: SplitProfiles
  /// The tax rates with which taxes are compared (`--taxes`); nil if taxes are not checked.
  public var taxes: TaxTable?
  /// Whether an item's total price below price times count is an error (`--strict-items`).
  public var strictItems: Bool
  /// Whether texts and addresses that no amount depends on are errors if they are not valid (`--strict-texts`). Nil for
  /// a night of a version before 1.0.0-rc.4: it is settled again by what `ledger.md`, "Nights of earlier versions",
  /// says.
  public var strictTexts: Bool?
  /// How unknown fields are treated (`--unknown-fields`).
  public var unknownFields: UnknownFields

  /// The days that a refund window may have.
  public static let refundWindows = 0...36_500
  /// The window unless another is given. Runs from before the option were settled by it, and identities leave it out.
  public static let defaultRefundWindow = 180

  /// The most days between the run that settled a payment and the run that refunds it (`--refund-window`).
  public var refundWindow = defaultRefundWindow

  /// Rules with the defaults of the command line.
  public init(
    schedule: FeeSchedule = .published, profiles: SplitProfiles = SplitProfiles(), taxes: TaxTable? = nil,
    strictItems: Bool = false, strictTexts: Bool? = false, unknownFields: UnknownFields = .suspect
  ) {
    self.schedule = schedule
    self.profiles = profiles
    self.taxes = taxes
    self.strictItems = strictItems
    self.strictTexts = strictTexts
    self.unknownFields = unknownFields
  }

  /// The rules by option, as reports name them.
  public var reported: RuleValues { RuleValues(self).reported(isBuiltIn: schedule.isBuiltIn) }

  /// Whether a payment settled on one day can no longer be refunded on another. Without both days it can.
  public func isWindowOver(on day: CalendarDay?, forPaymentOf settled: CalendarDay?) -> Bool {
    guard let day, let settled else { return false }
    return day.number - settled.number > refundWindow
  }
}
