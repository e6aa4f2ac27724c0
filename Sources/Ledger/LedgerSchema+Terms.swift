/// What migration 8 adds: the terms of payouts, and payouts without payments.
extension LedgerSchema {
  static let terms = """
    -- terms: the SHA-256 of the payout's terms; null without terms. noPayments: 1 if it pays no one. delayed, reserved: the
    -- lengths of the lists of what the terms held of each account and currency, before it was limited by balances; null if
    -- there are none. In payoutTotal: the sums of the columns of carried.csv; null without terms.
    ALTER TABLE payout ADD COLUMN terms TEXT;
    ALTER TABLE payout ADD COLUMN noPayments INTEGER;
    ALTER TABLE payout ADD COLUMN delayed INTEGER;
    ALTER TABLE payout ADD COLUMN reserved INTEGER;
    ALTER TABLE payoutTotal ADD COLUMN delayed TEXT;
    ALTER TABLE payoutTotal ADD COLUMN reserved TEXT;
    ALTER TABLE payoutTotal ADD COLUMN kept TEXT;
    """
}
