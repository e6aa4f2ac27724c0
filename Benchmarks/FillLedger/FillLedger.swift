import Claims
import Glibc
import Ledger
import TestSupport

/// Fills a ledger with pay keys that never were, night by night, by the calls that a run makes, and tells what each night
/// cost: to measure runs against a ledger of many earlier keys.
@main
struct FillLedger {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard let path = arguments.first, numbers.count == 2, arguments.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
      complain("usage: FillLedger LEDGER NIGHTS KEYS-A-NIGHT")
      exit(64)
    }
    do {
      try fill(path, nights: numbers[0], keys: numbers[1])
    } catch {
      complain("FillLedger: \(path): \(error)")
      exit(74)
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func fill(_ path: String, nights: Int, keys count: Int) throws {
    let ledger = try Ledger(path: path)
    var random = SeededGenerator(seed: 7)
    print("night  entered s  merged s  file MB  bytes a key")
    for night in 1...nights {
      var keys = (0..<count).map { _ in Fingerprint(low: random.next(), high: random.next()).ofPayKey }
      keys.sort()
      let start = seconds()
      try ledger.begin(directory: Array("/nowhere/\(night)".utf8), replaces: false)
      let run = try keys.withUnsafeBufferPointer { keys in
        try ledger.enter(entry(night: random.next(), keys: keys.count)) { shard in
          let first = keys.partitioningIndex { $0.shard >= shard }
          let end = keys.partitioningIndex { $0.shard > shard }
          return UnsafeBufferPointer(rebasing: keys[first..<end])
        }
      }
      let entered = seconds()
      try ledger.end(newKeys: count)
      let merged = seconds()
      var status = stat()
      stat(path, &status)
      let megabytes = Double(status.st_size) / 1e6
      let perKey = Double(status.st_size) / Double(run * count)
      print(
        "\(run)  \(rounded(entered - start))  \(rounded(merged - entered))  \(rounded(megabytes))  \(rounded(perKey))")
    }
  }

  private static func entry(night: UInt64, keys: Int) -> RunEntry {
    let digest = (0..<32).map { UInt8(truncatingIfNeeded: night >> UInt64($0 * 2)) }
    return RunEntry(
      time: "2026-11-21T22:00:00Z", engine: "benchmark",
      identity: RunIdentity(content: digest, schedule: digest, options: "night \(night)"), opening: digest,
      batchKey: nil, batchID: nil, files: [],
      records: RunEntry.Records(read: keys, settled: keys, rejected: 0, pending: 0, held: 0), controlTotals: "absent",
      totals: [], directory: [], sums: "")
  }

  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  private static func seconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

extension UnsafeBufferPointer {
  fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var lower = 0
    var upper = count
    while lower < upper {
      let middle = (lower + upper) / 2
      if belongs(self[middle]) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }
}
