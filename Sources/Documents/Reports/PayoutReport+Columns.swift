/// `payouts.csv`: a row for each payment.
public enum PayoutsReport {
  /// The columns, in their order.
  public enum Column: String, DescribedColumn {
    /// The payment and whose it is.
    case reference, account, currency
    /// What is paid and how.
    case amount, method, ending, file

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .reference: ColumnMeaning(.text, "The payment's own name, `P<payout>-<number>`; never used again.")
      case .account: ColumnMeaning(.text, "The account that is paid.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the amount.")
      case .amount: ColumnMeaning(.amount, "What is paid: what is free of the balance; without terms all of it.")
      case .method: ColumnMeaning(.code(PayoutMethod.all.map(\.name)), "How it is paid.")
      case .ending:
        ColumnMeaning(.text, "The last four characters of the bank account; empty if it is short.", isOptional: true)
      case .file:
        ColumnMeaning(.text, "The file for the bank that has the payment; empty without one.", isOptional: true)
      }
    }
  }
}

/// `carried.csv`: a row for each balance that is not paid.
public enum CarriedReport {
  /// The columns, in their order.
  public enum Column: String, DescribedColumn {
    /// By which the rows are sorted.
    case account, currency
    /// What is not paid, why, and since which run.
    case balance, reason, since
    /// Of the balance, with terms.
    case delayed, reserved, kept

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .account: ColumnMeaning(.text, "The account.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the balance.")
      case .balance: ColumnMeaning(.amount, "The balance, or what is not paid of it; below zero if the account owes.")
      case .reason: ColumnMeaning(.code(CarriedReason.allCases.map(\.rawValue)), "Why it is not paid.")
      case .since: ColumnMeaning(.integer, "The run in which it last left zero or changed its sign.")
      case .delayed: ColumnMeaning(.amount, "What is delayed of it.")
      case .reserved: ColumnMeaning(.amount, "What is reserved of it.")
      case .kept: ColumnMeaning(.amount, "What is kept of it as the minimum balance.")
      }
    }
  }

  /// The columns of a payout with or without terms.
  public static func columns(hasTerms: Bool) -> [Column] {
    Array(hasTerms ? Column.allCases[...] : Column.allCases.prefix { $0 != .delayed })
  }
}

/// `returned.csv`: a row for each payment that came back.
public enum ReturnedReport {
  /// The columns, in their order.
  public enum Column: String, DescribedColumn {
    /// The payment, and why it came back.
    case reference, reason
    /// What it was.
    case account, currency, amount

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .reference: ColumnMeaning(.text, "The payment that came back.")
      case .reason: ColumnMeaning(.text, "Why, as the bank says it.")
      case .account: ColumnMeaning(.text, "The account that gets it back.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the amount.")
      case .amount: ColumnMeaning(.amount, "What came back.")
      }
    }
  }
}

/// `adjusted.csv`: a row for each adjustment.
public enum AdjustedReport {
  /// The columns, in their order.
  public enum Column: String, DescribedColumn {
    /// By which the rows are sorted.
    case key
    /// What was changed, and why.
    case account, currency, amount, reason

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .key: ColumnMeaning(.text, "The adjustment's own name; never used again in the ledger.")
      case .account: ColumnMeaning(.text, "The account whose balance it changes.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the amount.")
      case .amount: ColumnMeaning(.amount, "What it adds to the balance; below zero if it takes something.")
      case .reason: ColumnMeaning(.text, "Why it was made.")
      }
    }
  }
}
