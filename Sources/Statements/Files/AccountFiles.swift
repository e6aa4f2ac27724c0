import BatchFile
import BatchRun
import Money

/// Makes files and the list of accounts of lines that come account by account.
struct AccountFiles {
  private let names: StatementNames
  private let selected: SelectedAccounts?
  private let files: StatementFiles
  private let tree: OutputTree
  private let list: OutputTree.File
  private let listText = ListText()
  /// The account under way, 0 where there is none.
  private var number = 0
  private var account: [UInt8] = []
  private var sums = SectionSums()
  private var isWritten: [Bool]
  private let dayText: [UInt8]

  /// The statements begun.
  private(set) var count = 0
  /// The rows of all.
  private(set) var rows = 0
  /// The texts that lost backslashes.
  private(set) var textsWithoutBackslashes = 0
  /// The texts that were left out.
  private(set) var textsLeftOut = 0

  private final class ListText {
    var text = TextBuffer(capacity: 1 << 16)
  }

  init(_ tree: OutputTree, names: StatementNames, selected: SelectedAccounts?, threads: Int) throws(RunFailure) {
    self.tree = tree
    self.names = names
    self.selected = selected
    files = StatementFiles(tree, names: names, threads: threads)
    list = try tree.makeFile(StatementNames.list, folder: nil)
    listText.text.append("number,account,file\n")
    isWritten = [Bool](repeating: false, count: selected?.accounts.count ?? 0)
    var time = TextBuffer()
    time.append(stl: names.day.start)
    dayText = Array(UnsafeBufferPointer(start: time.bytes, count: time.count))
  }

  /// Takes the next line: of the account under way, or of one that sorts behind it.
  mutating func take(_ line: StatementLine) throws(RunFailure) {
    if number == 0 || !line.account.elementsEqual(account) {
      try endAccount()
      try begin(line.account)
    }
    rows += 1
    if line.flags.contains(.lostBackslashes) { textsWithoutBackslashes += 1 }
    if line.flags.contains(.leftOutText) { textsLeftOut += 1 }
    if names.format == .stl { sums.add(line) }
    let dayText = dayText
    files.append { text in
      let start = text.count
      guard let row = line.text.baseAddress else { return }
      text.append(row, count: line.text.count)
      guard let offset = line.dayOffset else { return }
      for index in dayText.indices {
        text.bytes[start + offset + index] = dayText[index]
        text.bytes[start + offset + dayText.count + 1 + index] = dayText[index]
      }
    }
    try files.relieve(number: number)
  }

  /// Ends the last account, gives a file to each that was asked for and has no lines, and writes what is left.
  mutating func finish() throws(RunFailure) {
    try endAccount()
    if let selected {
      for index in selected.accounts.indices {
        if !isWritten[index] {
          try selected.accounts[index].withUnsafeBufferPointer { account throws(RunFailure) in try begin(account) }
          try endAccount()
        }
        try appendToList(index + 1, selected.accounts[index])
      }
    }
    try files.flush()
    try writeList()
    try list.close()
  }

  private mutating func begin(_ account: UnsafeBufferPointer<UInt8>) throws(RunFailure) {
    count += 1
    if let selected {
      guard let place = selected.number(of: account) else { preconditionFailure("a line of nobody asked for") }
      number = place
      isWritten[number - 1] = true
    } else {
      number = count
    }
    self.account = Array(account)
    sums.reset()
    if selected == nil { try appendToList(number, self.account) }
    let (format, day) = (names.format, names.day)
    files.append { text in
      switch format {
      case .stl: STLFrame.appendHead(account: account, day: day, to: &text)
      case .csv: text.append(CSVRows.header)
      }
    }
  }

  private mutating func endAccount() throws(RunFailure) {
    guard number > 0 else { return }
    if names.format == .stl { files.append { STLFrame.appendEnd(sums, to: &$0) } }
    try files.finish(number: number)
    number = 0
  }

  private func appendToList(_ number: Int, _ account: [UInt8]) throws(RunFailure) {
    listText.text.append(number: number)
    listText.text.append(UInt8(ascii: ","))
    account.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { listText.text.append(start, count: bytes.count) }
    }
    listText.text.append(UInt8(ascii: ","))
    listText.text.append(names.path(number))
    listText.text.append(UInt8(ascii: "\n"))
    if listText.text.count > 1 << 16 { try writeList() }
  }

  private func writeList() throws(RunFailure) {
    try list.write(listText.text.bytes, count: listText.text.count)
    listText.text.removeAll()
  }
}
