import Glibc
import Records

/// The accounts that statements are asked for, numbered from 1 as they are given, each once.
public struct SelectedAccounts: Sendable {
  /// The accounts in lower case, by number.
  let accounts: [[UInt8]]
  /// Places in `accounts`, in the order of the accounts' bytes.
  private let order: [Int]

  /// The accounts given, in any letter case; nil where one of them is none, which `invalid` is told.
  public init?(_ texts: [String], invalid: (String) -> Void) {
    var accounts: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    for text in texts {
      let bytes = Array(text.utf8)
      var canonical = [UInt8](repeating: 0, count: bytes.count)
      guard Account.canonicalize(bytes, count: bytes.count, into: &canonical) else {
        invalid(text)
        return nil
      }
      if seen.insert(canonical).inserted { accounts.append(canonical) }
    }
    self.accounts = accounts
    order = accounts.indices.sorted { accounts[$0].lexicographicallyPrecedes(accounts[$1]) }
  }

  /// The number of an account in lower case; nil where it is not selected.
  func number(of account: UnsafeBufferPointer<UInt8>) -> Int? {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      let comparison = compare(accounts[order[middle]], account)
      if comparison == 0 { return order[middle] + 1 }
      if comparison < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func compare(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Int {
    left.withUnsafeBufferPointer { left in
      guard let a = left.baseAddress, let b = right.baseAddress else { return left.count - right.count }
      let order = memcmp(a, b, min(left.count, right.count))
      return order == 0 ? left.count - right.count : Int(order)
    }
  }
}
