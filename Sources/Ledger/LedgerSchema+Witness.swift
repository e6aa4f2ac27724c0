/// What migration 8 adds: what a ledger knows of its witness, of a missing payout, and of other shops.
extension LedgerSchema {
  static let witness = """
    -- witness: 1 if the ledger has had a witness. lastDirectory: the digest of the directory of payout lastPayout, while
    -- that is missing. others: the names of other shops' ledgers, with spaces between. Null if nothing is known.
    ALTER TABLE ledgerID ADD COLUMN witness INTEGER;
    ALTER TABLE ledgerID ADD COLUMN lastDirectory INTEGER;
    ALTER TABLE ledgerID ADD COLUMN others TEXT;
    """
}
