import Foundation
import Glibc
import Testing

/// 3,000,000 references or 2,000,000 adjustments may take 200 MB, so each row 66 or 88 bytes: the command itself takes some.
@Suite("Memory of long lists whose rows are all wrong, or all new", .serialized)
struct ListMemoryTests {
  private let folder: CommandFolder
  private static let rows = 300_000

  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "night.jsonl", #"{"payKey":"A","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"9.00"}"#)
    #expect(try folder.run(["run", "night.jsonl", "--output", "night", "--ledger", "ledger"]).exitCode == 0)
    try folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      anna@x.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,,
      """)
    #expect(try measure(Self.payout + " --ledger ledger --output paid").exitCode == 0)
  }

  private static let payout = "payout --payees payees.csv --date \(Date().ISO8601Format().prefix(10))"

  /// The exit code of the command, and the most memory that it had, in bytes.
  private func measure(_ words: String) throws -> (exitCode: Int32, peak: Int) {
    let process = try folder.start("exec \"$SETTLE\" \(words) >said 2>&1")
    var peak = 0
    while process.isRunning {
      let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
      peak = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) } ?? peak
      usleep(1_000)
    }
    process.waitUntilExit()
    return (process.terminationStatus, peak << 10)
  }

  /// A list with the header's columns and some rows; `&` in a row is its number.
  private func write(_ name: String, _ header: String, _ row: String, rows: Int) throws {
    let process = try folder.start("{ echo \(header); seq 1 \(rows) | sed 's/.*/\(row)/'; } >\(name)")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(
    "grows by no more than the rows may take",
    arguments: [
      ("returns", "reference,reason", "P2-&,AC04", 78, 66),
      ("--returned", "reference,reason", "P2-&,AC04", 78, 66),
      ("--adjustments", "key,account,currency,amount,reason", "KEY-&,anna@x.example,EUR,-0.01,FEE", 0, 88),
      ("--adjustments", "key,account,currency,amount,reason", "KEY-&,shop-&@x.example,EUR,-0.01,FEE", 78, 100),
    ])
  func growth(option: String, header: String, row: String, exitCode: Int, bytes: Int) throws {
    func peak(of rows: Int) throws -> Int {
      try write("list.csv", header, row, rows: rows)
      let words = option == "returns" ? "returns list.csv" : Self.payout + " --dry-run \(option) list.csv"
      let measured = try measure(words + " --ledger ledger --output answers")
      let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
      #expect(measured.exitCode == exitCode, "\(said.suffix(300))")
      return measured.peak
    }
    let growth = try peak(of: Self.rows) - peak(of: 1_000)
    #expect(growth < Self.rows * bytes, "\(growth / Self.rows) bytes for each row")
  }
}
