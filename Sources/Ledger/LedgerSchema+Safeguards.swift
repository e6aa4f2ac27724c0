/// What migration 8 adds: refused bank accounts, and the form of payouts.
extension LedgerSchema {
  static let safeguards = """
    -- changedAccounts: the payments to another bank account than that of the last payment of their account and currency;
    -- null in a payout made by an earlier version. refused: the length of the list of bank accounts that are refused after
    -- the payout; null if there is no such list. keepsDay: 1 if the payout's date counts as its day when it is one day
    -- after the day of entry; null if an earlier version entered it.
    ALTER TABLE payout ADD COLUMN changedAccounts INTEGER;
    ALTER TABLE payout ADD COLUMN refused INTEGER;
    ALTER TABLE payout ADD COLUMN keepsDay INTEGER;
    """
}
