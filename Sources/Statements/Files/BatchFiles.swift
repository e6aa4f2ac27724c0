import Documents
import Failures
import FileSystem

/// Makes the files of accounts from the lines of a batch, which come account by account.
final class BatchFiles {
  private let names: StatementNames
  private let files: AccountFiles
  private let lines: ExternalSorter
  private var sums = SectionSums()
  private let dayText: [UInt8]
  private var page: StatementPage

  private(set) var counts = Statements.Counts()

  init(_ lines: ExternalSorter, to files: AccountFiles, names: StatementNames, locale: StatementLocale) {
    self.lines = lines
    self.names = names
    self.files = files
    page = StatementPage(locale, day: names.day)
    dayText = Array(names.day.dayStart.stl.utf8)
  }

  /// Writes all files and the list.
  func write() throws(Failure) {
    try lines.forEach { record throws(Failure) in
      let line = StatementLine(record)
      if files.isOpen, !files.isCurrent(line.account) { try endAccount() }
      if !files.isOpen {
        try begin(line.account, name: names.format == .html ? StatementPage.merchantName(of: line) : "")
      }
      try add(line)
    }
    if files.isOpen { try endAccount() }
    try files.finish { account throws(Failure) in
      try begin(account.span, name: "")
      try endAccount()
    }
    counts.accounts = files.count
  }

  private func add(_ line: StatementLine) throws(Failure) {
    counts.rows += 1
    let head = line.head
    if head.flags.contains(.lostBackslashes) { counts.textsWithoutBackslashes += 1 }
    if head.flags.contains(.leftOutText) { counts.textsLeftOut += 1 }
    if head.flags.contains(.maskedCardNumber) { counts.rowsMasked += 1 }
    if names.format == .stl { sums.add(line) }
    try files.append { text in
      if names.format == .html { return page.append(line, to: &text) }
      let start = text.count
      text.append(line.text)
      guard head.dayOffset > 0 else { return }
      text.change(start + Int(head.dayOffset)..<text.count) { text in
        for index in dayText.indices {
          text[index] = dayText[index]
          text[dayText.count + 1 + index] = dayText[index]
        }
      }
    }
  }

  private func begin(_ account: Span<UInt8>, name: String) throws(Failure) {
    try files.begin(account)
    sums.reset()
    let (format, day) = (names.format, names.day)
    try files.append { text in
      switch format {
      case .stl: STLFrame.appendHead(account: account, day: day, to: &text)
      case .csv: text.append(CSVRows.header)
      case .html: page.begin(account, name: name, to: &text)
      }
    }
  }

  private func endAccount() throws(Failure) {
    switch names.format {
    case .stl: try files.append { STLFrame.appendEnd(sums, to: &$0) }
    case .csv: break
    case .html: try files.append { page.end(to: &$0) }
    }
    try files.end()
  }
}
