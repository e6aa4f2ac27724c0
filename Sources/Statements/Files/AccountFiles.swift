import BatchRun
import FileSystem
import Input
import Money
import Text

/// Makes the files and the list of accounts of lines that come account by account.
final class AccountFiles: @unchecked Sendable {
  /// Threads that write files wait for the disk most of the time, which brings those of several to it in one go.
  private static let leastWriters = 16

  private let names: StatementNames
  private let selected: SelectedAccounts?
  private let files: StatementFiles
  private let tree: OutputTree
  private let list: OpenFile
  @exclusivity(unchecked) private var listText = TextBuffer(capacity: 1 << 16)
  @exclusivity(unchecked) private var lines: LineMerge
  /// The account under way, 0 where there is none.
  private var number = 0
  private var account: [UInt8] = []
  @exclusivity(unchecked) private var sums = SectionSums()
  /// Of the selected accounts: which have a file, and how many are listed.
  private var isWritten: [Bool]
  private var listed = 0
  private let dayText: [UInt8]

  /// The statements begun.
  private(set) var count = 0
  /// The rows of all.
  private(set) var rows = 0
  /// The texts that lost backslashes.
  private(set) var textsWithoutBackslashes = 0
  /// The texts that were left out.
  private(set) var textsLeftOut = 0
  /// The rows with a masked card number.
  private(set) var rowsMasked = 0

  init(
    _ lines: consuming LineMerge, in tree: OutputTree, names: StatementNames,
    selected: SelectedAccounts?, threads: Int
  ) throws(FileFailure) {
    self.lines = lines
    self.names = names
    self.selected = selected
    files = StatementFiles(tree, names: names, threads: max(threads, Self.leastWriters))
    self.tree = tree
    list = try tree.makeFile(StatementNames.list, folder: nil)
    isWritten = [Bool](repeating: false, count: selected?.accounts.count ?? 0)
    var time = TextBuffer()
    time.append(stl: names.day.dayStart)
    dayText = Array(UnsafeBufferPointer(start: time.bytes, count: time.count))
    listText.append("number,account,file\n")
  }

  /// Writes all files and the list.
  func write() throws(FileFailure) {
    try files.writeAll { () throws(FileFailure) in try self.makeSome() }
    try writeList()
    try tree.finish(list, folder: nil)
  }

  /// Makes texts until as many are there as are written at a time; whether there are more to come.
  private func makeSome() throws(FileFailure) -> Bool {
    while let line = lines.line {
      if number > 0, !line.account.elementsEqual(account) { try endAccount() }
      if number == 0 {
        if files.isFull { return true }
        try begin(line.account)
      }
      try add(line)
      try lines.advance()
    }
    try endAccount()
    // Each account that was asked for has a file, with lines or without.
    while let selected, listed < selected.accounts.count {
      if files.isFull { return true }
      let account = selected.accounts[listed]
      if !isWritten[listed] {
        try account.withUnsafeBufferPointer { bytes throws(FileFailure) in try begin(bytes) }
        try endAccount()
      }
      listed += 1
      try appendToList(listed, account)
    }
    return false
  }

  private func add(_ line: StatementLine) throws(FileFailure) {
    rows += 1
    let head = line.head
    if head.flags.contains(.lostBackslashes) { textsWithoutBackslashes += 1 }
    if head.flags.contains(.leftOutText) { textsLeftOut += 1 }
    if head.flags.contains(.maskedCardNumber) { rowsMasked += 1 }
    if names.format == .stl { sums.add(line) }
    try files.append(number: number) { text in
      let start = text.count
      let row = line.text
      guard let bytes = row.baseAddress else { return }
      text.append(bytes, count: row.count)
      guard head.dayOffset > 0 else { return }
      let offset = Int(head.dayOffset)
      for index in dayText.indices {
        text.bytes[start + offset + index] = dayText[index]
        text.bytes[start + offset + dayText.count + 1 + index] = dayText[index]
      }
    }
  }

  private func begin(_ account: UnsafeBufferPointer<UInt8>) throws(FileFailure) {
    count += 1
    if let selected {
      guard let place = selected.number(of: account) else { preconditionFailure("a line of nobody asked for") }
      number = place
      isWritten[number - 1] = true
    } else {
      number = count
    }
    self.account.replaceSubrange(self.account.indices, with: account)
    sums.reset()
    if selected == nil { try appendToList(number, self.account) }
    let (format, day) = (names.format, names.day)
    try files.append(number: number) { text in
      switch format {
      case .stl: STLFrame.appendHead(account: account, day: day, to: &text)
      case .csv: text.append(CSVRows.header)
      }
    }
  }

  private func endAccount() throws(FileFailure) {
    guard number > 0 else { return }
    if names.format == .stl { try files.append(number: number) { STLFrame.appendEnd(sums, to: &$0) } }
    try files.finish(number: number)
    number = 0
  }

  private func appendToList(_ number: Int, _ account: [UInt8]) throws(FileFailure) {
    listText.append(number: number)
    listText.append(UInt8(ascii: ","))
    account.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { listText.append(start, count: bytes.count) }
    }
    listText.append(UInt8(ascii: ","))
    listText.append(names.path(number))
    listText.append(UInt8(ascii: "\n"))
    if listText.count > 1 << 16 { try writeList() }
  }

  private func writeList() throws(FileFailure) {
    try list.write(listText.bytes, count: listText.count)
    listText.removeAll()
  }
}
