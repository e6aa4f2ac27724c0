/// The accounts that are asked for.
package enum AskedAccounts: Sendable {
  case all
  /// These, in lower case.
  case these(Set<[UInt8]>)

  /// Up to so many are looked for by their bytes; for more it is faster to look at each row.
  private static let mostNeedles = 8

  func contains(_ account: Span<UInt8>) -> Bool {
    switch self {
    case .all: true
    case .these(let accounts): accounts.contains([UInt8](account))
    }
  }

  /// The accounts, if they are few.
  var few: Set<[UInt8]>? {
    guard case .these(let accounts) = self, accounts.count <= Self.mostNeedles else { return nil }
    return accounts
  }
}
