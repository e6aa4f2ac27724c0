import Claims
import FileSystem
import Glibc
import Ledger
import TestSupport

/// Fills a ledger with made-up pay keys, run by run, with the calls that a run makes, and prints what each run cost. It
/// is for measuring runs against a ledger of many earlier keys. If a number of refunds is given, it also stores what
/// refunds need of each payment, and makes this number of refunds of payments of all earlier runs.
@main
struct FillLedger {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard let path = arguments.first, (2...3).contains(numbers.count), arguments.count == numbers.count + 1,
      numbers.allSatisfy({ $0 > 0 })
    else {
      complain("usage: FillLedger LEDGER NIGHTS KEYS-A-NIGHT [REFUNDS-A-NIGHT]")
      exit(64)
    }
    do {
      try fill(path, nights: numbers[0], keys: numbers[1], refunds: numbers.dropFirst(2).first)
    } catch {
      complain("FillLedger: \(path): \(error)")
      exit(74)
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func fill(_ path: String, nights: Int, keys count: Int, refunds: Int?) throws {
    let ledger = try Ledger(path: path)
    var random = SeededGenerator(seed: 7)
    var settled: [SettledPayment] = []
    print("night  looked up s  entered s  merged s  file MB  bytes a key")
    for night in 1...nights {
      let keys = (0..<count).map { _ in Fingerprint(low: random.next(), high: random.next()).ofPayKey }
      let details = refunds == nil ? nil : keys.map { _ in madeUpDetails(&random) }
      let refunded = settled.shuffled(using: &random).prefix(refunds ?? 0).sorted()
      let made = refunded.enumerated().map { place, payment in
        RefundEntry(
          refundKey: "RF-\(night)-\(random.next() % 1_000_000_000)-\(place)", payment: payment.key,
          taken: Array(repeating: 7, count: 20))
      }
      settled += keys.prefix(refunds ?? 0).map { SettledPayment(run: night, key: $0) }
      let lookedUp = try secondsToLookUp(refunded, ledger)
      var claimed = ClaimedKeys()
      for key in keys { _ = claimed.insert(key, isSettled: true) }
      claimed.sortSettled(threads: 1)
      let start = seconds()
      let sorter = try details.map { details in
        let sorter = SettledPaymentSorter(beside: try OutputPlace(path: path))
        for (key, details) in zip(keys, details) { try sorter.append(key, details.span) }
        return sorter
      }
      try ledger.begin(directory: Array("/nowhere/\(night)".utf8), replaces: false)
      let run = try ledger.enter(
        entry(night: random.next(), keys: keys.count, refunds: made.count), keys: claimed, details: sorter,
        refunds: made)
      let entered = seconds()
      try ledger.end(newKeys: count)
      let merged = seconds()
      var status = stat()
      stat(path, &status)
      let megabytes = Double(status.st_size) / 1e6
      let perKey = Double(status.st_size) / Double(run * count)
      print(
        "\(run)  \(rounded(lookedUp))  \(rounded(entered - start))  \(rounded(merged - entered))  \(rounded(megabytes))  \(rounded(perKey))"
      )
    }
  }

  /// The time to look up everything that is known about payments to be refunded.
  private static func secondsToLookUp(_ payments: [SettledPayment], _ ledger: Ledger) throws -> Double {
    let start = seconds()
    let entries = try ledger.entryLookup()
    var found = 0
    try entries.details(of: payments) { _, details in found += details?.count ?? 0 }
    try entries.refunds(ofPayments: payments.map(\.key)) { _, _ in found += 1 }
    entries.close()
    precondition(payments.isEmpty || found > 0)
    return seconds() - start
  }

  /// As many bytes as two accounts and the amounts take, with senders that occur rarely and receivers that occur often.
  private static func madeUpDetails(_ random: inout SeededGenerator) -> [UInt8] {
    func word(_ length: Int) -> String {
      String((0..<length).map { _ in Character(Unicode.Scalar(UInt8(97 + random.next() % 26))) })
    }
    let domains = ["mail", "family", "post", "home", "office"]
    let sender = "\(word(5)).\(word(7))\(random.next() % 100)@\(domains[Int(random.next() % 5)]).example"
    var shop = SeededGenerator(seed: random.next() % 20_000)
    let shopNames = (0..<2).map { _ in String(shop.next(), radix: 36).prefix(7) }
    let number = random.next()
    let amounts = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return Array("\(sender)\u{1}orders@\(shopNames[0])-\(shopNames[1]).example\u{2}".utf8) + amounts
  }

  private static func entry(night: UInt64, keys: Int, refunds: Int) -> RunEntry {
    let digest = (0..<32).map { UInt8(truncatingIfNeeded: night >> UInt64($0 * 2)) }
    return RunEntry(
      time: "2026-11-21T22:00:00Z", engine: "benchmark",
      identity: RunIdentity(content: digest, schedule: digest, options: "night \(night)"), opening: digest,
      batchKey: nil, batchID: nil, files: [],
      records: RecordCounts(read: keys, settled: keys, rejected: 0, pending: 0, held: 0, refunded: refunds),
      controlTotals: "absent",
      totals: [], directory: [], sums: "")
  }

  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  private static func seconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}
