import Failures
import Claims
import ExactArithmetic
import FileSystem
import Postings
import SQLite
import Text

extension RunContent: StoredContent {
  var columns: [(name: String, value: any DatabaseValue)] {
    [
      ("content", identity.content), ("opening", opening), ("schedule", identity.schedule),
      ("options", identity.options), ("batchKey", batchKey?.bytes), ("batchID", batchID),
      ("recordsRead", records.read), ("settled", records.settled), ("rejected", records.rejected),
      ("pending", records.pending), ("held", records.held), ("controlTotals", controlTotals), ("day", day),
      ("refunded", records.refunded), ("preapprovals", records.preapprovals), ("details", detailCount),
      ("pieces", identity.isPlain ? nil : 1), ("balances", balanceCount), ("checks", 1),
    ]
  }

  func insertParts(_ database: Database, _ number: Int) throws {
    for (place, file) in files.enumerated() {
      try database.insert(
        into: "runFile",
        [
          ("run", number), ("place", place), ("name", file.name), ("bytes", file.bytes), ("digest", file.sha256),
        ])
    }
    for total in totals { try total.insert(database, run: number) }
    for (name, digest) in rules {
      try database.insert(into: "runRule", [("run", number), ("name", name), ("digest", digest)])
    }
  }

  init(_ row: Row, _ number: Int, parts: [[Row]]) throws {
    self.init(
      identity: RunIdentity(
        content: try row.bytes("content"), schedule: try row.bytes("schedule"), options: try row.value("options"),
        isPlain: try row.value("pieces") == Int?.none),
      opening: try row.bytes("opening"), batchKey: Fingerprint(bytes: try row.bytes("batchKey")),
      batchID: try row.value("batchID"), day: try row.value("day"),
      files: try parts[0].map {
        StoredFile(name: try $0.value("name"), bytes: try $0.value("bytes"), sha256: try $0.value("digest"))
      },
      records: RecordCounts(
        read: try row.value("recordsRead"), settled: try row.value("settled"), rejected: try row.value("rejected"),
        pending: try row.value("pending"), held: try row.value("held"),
        refunded: try row.value("refunded") ?? 0, preapprovals: try row.value("preapprovals") ?? 0),
      controlTotals: try row.value("controlTotals"),
      totals: try parts[1].map { try RunTotal($0, run: number) },
      rules: try Dictionary(uniqueKeysWithValues: parts[2].map { (try $0.value("name"), try $0.bytes("digest")) }),
      detailCount: try row.value("details"), prunedAfter: try row.value("pruned"),
      balanceCount: try row.value("balances"))
  }
}

extension RunTotal {
  fileprivate func insert(_ database: Database, run: Int) throws {
    var columns: [(name: String, value: any DatabaseValue)] = [("run", run), ("currency", currency)]
    for part in TrialBalance.parts {
      columns.append((part.count.name, moved[keyPath: part.count.path]))
      columns += part.sums.map { ($0.name, moved[keyPath: $0.path].description) }
    }
    try database.insert(into: "runTotal", columns)
  }

  /// A run of an earlier version has no refunds.
  fileprivate init(_ row: Row, run: Int) throws {
    func sum(_ name: String) throws -> ExactDecimal? {
      guard let text: String = try row.value(name) else { return nil }
      guard let sum = ExactDecimal(text) else {
        throw Failure.damagedLedger("a sum of run \(run) is not a number")
      }
      return sum
    }
    let first = TrialBalance.paymentPart.sums[0]
    var moved = TrialBalance(exponent: try sum(first.name)?.exponent ?? 0)
    for part in TrialBalance.parts {
      moved[keyPath: part.count.path] = try row.value(part.count.name) ?? 0
      for figure in part.sums { if let sum = try sum(figure.name) { moved[keyPath: figure.path] = sum } }
    }
    self.init(currency: try row.value("currency"), moved: moved)
  }
}

extension Fingerprint {
  init?(bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.init(bytes.span, at: 0)
  }

  var bytes: [UInt8] {
    var text = TextBuffer()
    append(to: &text)
    return [UInt8](text.span)
  }
}
