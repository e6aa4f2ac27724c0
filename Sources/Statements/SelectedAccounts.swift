import Records

/// The accounts that get a statement, numbered from 1 in the given order, each once.
public struct SelectedAccounts: Sendable {
  /// The accounts in lower case, by number.
  private(set) var accounts: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]

  /// Selects these accounts, in any letter case.
  ///
  /// - Precondition: each is an account.
  public init(_ texts: [String]) {
    for text in texts {
      guard let canonical = Account.canonical(text.utf8) else { preconditionFailure("no account") }
      guard numbers[canonical] == nil else { continue }
      accounts.append(canonical)
      numbers[canonical] = accounts.count
    }
  }

  /// The number of an account in lower case; nil if it is not selected.
  func number(of account: some Collection<UInt8>) -> Int? { numbers[Array(account)] }

  /// The same, for a span.
  func number(of account: Span<UInt8>) -> Int? { numbers[Array(account)] }
}
