import Records
import Rules

/// The accounts that statements are asked for, numbered from 1 as they are given, each once.
public struct SelectedAccounts: Sendable {
  /// The accounts in lower case, by number.
  let accounts: [[UInt8]]
  private let numbers: [[UInt8]: Int]

  /// The accounts given, in any letter case; nil if one of them is none, which `invalid` is told.
  public init?(_ texts: [String], invalid: (String) -> Void) {
    var accounts: [[UInt8]] = []
    var numbers: [[UInt8]: Int] = [:]
    for text in texts {
      guard let canonical = Account.canonical(text.utf8) else {
        invalid(text)
        return nil
      }
      guard numbers[canonical] == nil else { continue }
      accounts.append(canonical)
      numbers[canonical] = accounts.count
    }
    self.accounts = accounts
    self.numbers = numbers
  }

  /// The number of an account in lower case; nil if it is not selected.
  func number(of account: UnsafeBufferPointer<UInt8>) -> Int? { numbers[Array(account)] }
}
