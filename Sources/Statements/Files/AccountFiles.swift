import Failures
import Text

/// Numbers accounts, and makes the file of each and the list of all.
final class AccountFiles {
  private let names: StatementNames
  private let selected: SelectedAccounts?
  private let files: any StatementDestination
  private var listText = TextBuffer(capacity: 1 << 16)
  /// The number of the current account, or 0.
  private var number = 0
  private var account: [UInt8] = []
  /// Which of the selected accounts have a file.
  private var isWritten: [Bool]
  /// The number of files.
  private(set) var count = 0

  /// - Parameter selected: the accounts that get a file, even without rows; nil for all that come.
  init(to files: any StatementDestination, names: StatementNames, selected: SelectedAccounts?) {
    (self.files, self.names, self.selected) = (files, names, selected)
    isWritten = [Bool](repeating: false, count: selected?.accounts.count ?? 0)
    listText.append("number,account,file\n")
  }

  /// Whether a file has begun.
  var isOpen: Bool { number > 0 }

  /// Whether an account is that of the current file.
  func isCurrent(_ account: Span<UInt8>) -> Bool {
    let current = self.account
    return number > 0 && current.span.isEqual(to: account)
  }

  /// Begins the file of an account; accounts come in ascending order, each once.
  func begin(_ account: Span<UInt8>) throws(Failure) {
    count += 1
    self.account = [UInt8](account)
    if let selected {
      number = selected.number(of: self.account)!
      isWritten[number - 1] = true
    } else {
      number = count
      try appendToList(number, self.account)
    }
  }

  /// Adds text to the current file.
  func append(_ body: (inout TextBuffer) -> Void) throws(Failure) { try files.append(number: number, body) }

  /// Ends the current file.
  func end() throws(Failure) {
    try files.finish(number: number)
    number = 0
  }

  /// Makes the files of the selected accounts that have none yet, and the list.
  ///
  /// - Parameter makeEmpty: begins, fills and ends the file of an account.
  func finish(_ makeEmpty: (_ account: [UInt8]) throws(Failure) -> Void) throws(Failure) {
    for (place, account) in (selected?.accounts ?? []).enumerated() {
      if !isWritten[place] { try makeEmpty(account) }
      try appendToList(place + 1, account)
    }
    try writeList()
    try files.finishAll()
  }

  private func appendToList(_ number: Int, _ account: [UInt8]) throws(Failure) {
    listText.append("\(number),\(String(decoding: account, as: UTF8.self)),\(names.path(number))\n")
    if listText.count > 1 << 16 { try writeList() }
  }

  private func writeList() throws(Failure) {
    try files.appendToList(listText)
    listText.removeAll()
  }
}
