import Console
import Failures
import FileSystem
import FoundationEssentials
import Ledger
import Records
import SystemPackage
import Text

/// The lines of a status about the ledger and its runs; payouts and answers are in `StatusReport+Payouts`.
struct StatusReport {
  private(set) var lines: [StatusLine] = []
  let history: LedgerHistory
  /// The ledger's path as given, and for commands.
  let (ledger, quoted): (String, String)
  /// The folder of payouts, if one is named.
  let payouts: String?

  init(_ history: LedgerHistory, ledger: String, payouts: String?) {
    (self.history, self.ledger, self.payouts) = (history, ledger, payouts)
    quoted = ShellWord.quoted(OutputPlace.shown(ledger))
  }

  /// Adds a line.
  ///
  /// - Parameter command: what settles it, if someone must act.
  mutating func add(_ subject: String, _ message: String, act command: String? = nil) {
    lines.append(StatusLine(subject: subject, message: message, command: command))
  }

  mutating func addLedger() {
    if let doubt = history.doubt { add("ledger", doubt, act: "settle ledger verify \(quoted)") }
    if let unfinished = history.unfinished {
      add("ledger", unfinished, act: "settle history --ledger \(quoted) --last 1")
    }
  }

  mutating func addRuns() {
    guard let run = history.runs.last, let booked = BookingOrder(history).booked[run.id] else {
      return add("last run", "the ledger has no run", act: "settle run BATCH --output DIR --ledger \(quoted)")
    }
    let records = run.records
    let text =
      "run \(run.number) of \(BookingOrder.settlementDay(of: run).text), booked on \(booked.text), entered \(run.time): "
      + "\(Terminal.count(records.read, "record")), \(records.settled) settled, \(records.rejected) rejected, "
      + "\(records.pending + records.held) waiting"
    let directory = FileName.string(run.directory)
    guard !run.isAtURI, OutputPlace.isGone(directory) else { return add("last run", text) }
    let files = run.files.map { ShellWord.quoted($0.name) }.joined(separator: " ")
    let shown = OutputPlace.shown(directory)
    add(
      "last run", "\(text). Its reports are gone: \(shown)",
      act: "settle run \(files) --ledger \(quoted) --output \(ShellWord.quoted(shown)) --republish")
  }

  // MARK: Inbox

  /// The days of the inbox whose files no run has settled, by the names of their files, and yesterday (local time) if it
  /// has no file at all.
  mutating func addInbox(_ inbox: String) throws(Failure) {
    let shown = OutputPlace.shown(inbox)
    let names: [String]
    do throws(Errno) { names = try Directory(path: inbox).names() } catch {
      throw .unreadable("\(shown): cannot be read: \(error)")
    }
    let files = names.compactMap { name in Self.day(ofBatch: name).map { (day: $0, name: name) } }
    let settled = Set(
      history.runs.flatMap { $0.files.map { String($0.name.split(separator: "/").last ?? "") } })
    let (today, yesterday) = Self.localDays()
    let over = files.filter { $0.day < today }
    let unsettled = Set(over.filter { !settled.contains($0.name) }.map(\.day)).sorted()
    let hasYesterday =
      files.contains { $0.day == yesterday } || settled.contains { Self.day(ofBatch: $0) == yesterday }
    if !unsettled.isEmpty {
      let list = unsettled.prefix(5).joined(separator: ", ")
      add(
        "inbox",
        "not settled: \(list)" + (unsettled.count > 5 ? " and \(unsettled.count - 5) more days" : ""),
        act: "settle-nightly")
    }
    if !hasYesterday {
      add(
        "inbox", "there is no batch of yesterday, \(yesterday), in \(shown)", act: "ls -l \(ShellWord.quoted(shown))")
    }
    guard unsettled.isEmpty, hasYesterday else { return }
    add("inbox", "every day up to \(yesterday) is settled")
  }

  /// The day that the name of a batch begins with, as `YYYY-MM-DD`; nil if it is another file.
  static func day(ofBatch name: String) -> String? {
    guard let match = name.wholeMatch(of: /(\d{4}-\d\d-\d\d)(-.*)?\.jsonl(\.lz4)?/), CalendarDay(String(match.1)) != nil
    else { return nil }
    return String(match.1)
  }

  /// Today and yesterday, in local time.
  private static func localDays() -> (today: String, yesterday: String) {
    let parts = Calendar.current.dateComponents([.year, .month, .day], from: .now)
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let today = "\(parts.year!)-\(digits(parts.month!))-\(digits(parts.day!))"
    return (today, CalendarDay(number: CalendarDay(today)!.number - 1).text)
  }

  // MARK: Backup and disk

  /// The hours after which a backup is too old, as for the alert of the nightly job.
  private static let mostBackupHours = 26

  mutating func addBackup(_ backup: String) {
    let shown = OutputPlace.shown(backup)
    let made = "settle ledger backup \(quoted) \(ShellWord.quoted(shown + ".new")) && mv "
    let again = made + "\(ShellWord.quoted(shown + ".new")) \(ShellWord.quoted(shown))"
    let attributes = try? FileManager.default.attributesOfItem(atPath: backup)
    guard let date = attributes?[.modificationDate] as? Date else {
      return add("backup", "\(shown) is not there, or cannot be read", act: again)
    }
    let hours = Int(Date.now.timeIntervalSince(date) / 3600)
    let age = hours < 48 ? Terminal.count(hours, "hour") : Terminal.count(hours / 24, "day")
    let isOld = hours > Self.mostBackupHours
    add("backup", "\(shown) is \(age) old", act: isOld ? again : nil)
  }

  private static func bytes(_ value: Any?) -> Int? { value as? Int ?? (value as? UInt64).map { Int(clamping: $0) } }

  /// The least part of a disk that should be free, in per cent.
  private static let leastFree = 10

  mutating func addDisk() {
    let folders = [ledger, payouts].compactMap(\.self).map { OutputPlace.isGone($0) ? "." : $0 }
    var seen = Set<String>()
    for folder in folders {
      guard let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder),
        let free = Self.bytes(disk[.systemFreeSize]), let size = Self.bytes(disk[.systemSize]), size > 0
      else { continue }
      let percent = free / max(1, size / 100)
      let text = "\(free >> 30) GiB of \(size >> 30) GiB are free (\(percent) %)"
      guard seen.insert(text).inserted else { continue }
      let shown = ShellWord.quoted(OutputPlace.shown(folder))
      add("disk", text, act: percent < Self.leastFree ? "df -h \(shown)" : nil)
    }
  }
}
