import Documents
import Failures

/// The payees of a file, as the pages of their statements show them.
public final class PagePayees {
  private let payees: Payees
  /// The account that was asked for last.
  private var last: [UInt8] = []

  private init(_ payees: Payees) { self.payees = payees }

  /// Reads a payees file.
  ///
  /// - Returns: the payees, and what is wrong with the file; nil if nothing is.
  public static func read(_ path: String) throws(Failure) -> (payees: PagePayees, faults: FileFaults?) {
    let file = PayeeFile.read(path)
    if let failure = file.failure { throw failure }
    return (PagePayees(file.content.payees), file.reportedFaults)
  }

  /// The payee with an account; nil without one. Name, address and language are each those of the first of its rows, by
  /// currency, in which it is not empty.
  public func payee(_ account: [UInt8]) -> PagePayee? {
    if account.lexicographicallyPrecedes(last) { payees.startAgain() }
    last = account
    let rows = payees.rows(of: account.span)
    if rows.isEmpty { return nil }
    return PagePayee(
      name: first(.name, of: rows), address: Self.lines(first(.address, of: rows)),
      locale: StatementLocale(first(.language, of: rows)))
  }

  private func first(_ text: Payees.Text, of rows: [Int]) -> String {
    guard let row = rows.first(where: { !payees.head($0).isEmpty(text) }) else { return "" }
    return payees.with(text, of: row) { String(decoding: $0) }
  }

  /// The lines of an address: street and building, postcode and town, country.
  private static func lines(_ address: String) -> [String] {
    let parts = address.split(separator: "\n", omittingEmptySubsequences: false)
    return [parts.prefix(2), parts.dropFirst(2).prefix(2), parts.dropFirst(4)]
      .map { $0.filter { !$0.isEmpty }.joined(separator: " ") }.filter { !$0.isEmpty }
  }
}
