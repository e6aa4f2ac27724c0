import Failures
import FileSystem
import Text

/// Makes the files and the list of accounts from lines that come account by account.
final class AccountFiles<Destination: StatementDestination> {
  private let names: StatementNames
  private let selected: SelectedAccounts?
  private let files: Destination
  @exclusivity(unchecked) private var listText = TextBuffer(capacity: 1 << 16)
  @exclusivity(unchecked) private var lines: LineMerge
  /// The number of the current account, or 0.
  private var number = 0
  private var account: [UInt8] = []
  @exclusivity(unchecked) private var sums = SectionSums()
  /// Which of the selected accounts have a file.
  private var isWritten: [Bool]
  private let dayText: [UInt8]
  @exclusivity(unchecked) private var page: StatementPage

  private(set) var counts = Statements.Counts()

  init(
    _ lines: consuming LineMerge, to files: Destination, names: StatementNames, locale: StatementLocale,
    selected: SelectedAccounts?
  ) {
    self.lines = lines
    self.names = names
    self.selected = selected
    self.files = files
    isWritten = [Bool](repeating: false, count: selected?.accounts.count ?? 0)
    page = StatementPage(locale, day: names.day)
    dayText = Array(names.day.dayStart.stl.utf8)
    listText.append("number,account,file\n")
  }

  /// Writes all files and the list.
  func write() throws(Failure) {
    while let line = lines.line {
      if number > 0, !line.account.elementsEqual(account) { try endAccount() }
      if number == 0 { try begin(line.account) }
      try add(line)
      try lines.advance()
    }
    if number > 0 { try endAccount() }
    // Each selected account gets a file, even without lines.
    for (place, account) in (selected?.accounts ?? []).enumerated() {
      if !isWritten[place] {
        try account.withUnsafeBufferPointer { bytes throws(Failure) in try begin(bytes) }
        try endAccount()
      }
      try appendToList(place + 1, account)
    }
    try writeList()
    try files.finishAll()
  }

  private func add(_ line: StatementLine) throws(Failure) {
    counts.rows += 1
    let head = line.head
    if head.flags.contains(.lostBackslashes) { counts.textsWithoutBackslashes += 1 }
    if head.flags.contains(.leftOutText) { counts.textsLeftOut += 1 }
    if head.flags.contains(.maskedCardNumber) { counts.rowsMasked += 1 }
    if names.format == .stl { sums.add(line) }
    try files.append(number: number) { text in
      if names.format == .html { return page.append(line, to: &text) }
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

  private func begin(_ account: UnsafeBufferPointer<UInt8>) throws(Failure) {
    counts.accounts += 1
    if let selected {
      guard let place = selected.number(of: account) else { preconditionFailure("an account that is not selected") }
      number = place
      isWritten[number - 1] = true
    } else {
      number = counts.accounts
    }
    self.account.replaceSubrange(self.account.indices, with: account)
    sums.reset()
    if selected == nil { try appendToList(number, self.account) }
    let (format, day) = (names.format, names.day)
    try files.append(number: number) { text in
      switch format {
      case .stl: STLFrame.appendHead(account: account, day: day, to: &text)
      case .csv: text.append(CSVRows.header)
      case .html: page.begin(account, to: &text)
      }
    }
  }

  private func endAccount() throws(Failure) {
    switch names.format {
    case .stl: try files.append(number: number) { STLFrame.appendEnd(sums, to: &$0) }
    case .csv: break
    case .html: try files.append(number: number) { page.end(to: &$0) }
    }
    try files.finish(number: number)
    number = 0
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
