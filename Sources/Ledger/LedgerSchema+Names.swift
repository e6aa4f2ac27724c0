/// What migration 7 adds: names, given-up payouts, and digests of what had none.
extension LedgerSchema {
  static let names = """
    -- name: 12 hexadecimal digits, for life. lastPayout: the highest number of a payout that the lock file or the operator
    -- named. word: the highest number according to the operator; null if nobody asked. madeAgain: 1 if run --adopt made the
    -- ledger without a lock file. digest: XXH3 of the row.
    ALTER TABLE ledgerID ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE ledgerID ADD COLUMN word INTEGER;
    ALTER TABLE ledgerID ADD COLUMN madeAgain INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE ledgerID ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;

    -- 1 if the run's digest covers the digests of its files and rules; null in a run that was damaged before.
    ALTER TABLE run ADD COLUMN checks INTEGER;

    -- place: the order in which balances count payouts, those made and those given up; null: the number. bookedRun: the
    -- run after which the payout counts, if that is not the run it was made up to. enteredAfter: the last run that was
    -- entered before it; null: the run after which it counts.
    ALTER TABLE payout ADD COLUMN place INTEGER;
    ALTER TABLE payout ADD COLUMN bookedRun INTEGER;
    ALTER TABLE payout ADD COLUMN enteredAfter INTEGER;
    ALTER TABLE payoutTotal ADD COLUMN adjusted TEXT;

    -- adjustments: the SHA-256 of its files of adjustments. adjusted: the length of its list of adjustments. Both are null
    -- in a payout of an earlier version.
    ALTER TABLE payout ADD COLUMN adjustments TEXT;
    ALTER TABLE payout ADD COLUMN adjusted INTEGER;

    -- XXH3 of the row.
    ALTER TABLE attempt ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
    """

  static let givenUp = """
    -- Payouts whose directories are lost. run and place are as in payout; adjustments is the length of the list of what
    -- was paid. digest is the XXH3 of the row.
    CREATE TABLE givenUp (
      number INTEGER PRIMARY KEY,
      time TEXT NOT NULL,
      run INTEGER NOT NULL,
      place INTEGER NOT NULL,
      adjustments INTEGER NOT NULL,
      digest INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """

  /// Whether an earlier version made a ledger again, and entered no payout.
  static let madeAgain = """
    SELECT 1 FROM run WHERE adopted AND (SELECT count(*) FROM payout) = 0 AND (SELECT lastPayout FROM ledgerID) = 0
    """
}
