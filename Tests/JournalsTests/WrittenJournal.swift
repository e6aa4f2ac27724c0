import BatchRun
import ExactArithmetic
import Failures
import Foundation
import Input
import Journals
import Records
import Rules
import TestSupport

/// The journal of a batch, or why there is no journal.
struct WrittenJournal {
  private(set) var text = ""
  private(set) var result: RunResult?
  private(set) var failure: Failure?

  init(
    _ batch: String, _ format: JournalFormat, date: String? = "2026-11-20",
    options: RunOptions = Self.options()
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(batch.utf8), to: "batch.jsonl")
    var bytes: [UInt8] = []
    do throws(Failure) {
      result = try Journal.write(
        [path], as: format, settlementDay: date.flatMap { UTCTime(day: $0) }, options: options,
        output: { piece throws(Failure) in bytes.append(piece) })
    } catch {
      failure = error
    }
    text = String(decoding: bytes, as: UTF8.self)
    // The file without a name is gone, and had no name.
    precondition((try? folder.names()) == ["batch.jsonl"])
  }

  /// Options with which refunds return fees.
  static func options(
    threads: Int = 1, enforcesControlTotals: Bool = true, plainChunkLength: Int = 1 << 20
  ) -> RunOptions {
    RunOptions(
      rules: SettlementRules(schedule: .returning), threads: threads,
      enforcesControlTotals: enforcesControlTotals, plainChunkLength: plainChunkLength)
  }

  /// What `receivers.csv` of the same batch pays out, by `account currency`.
  static func receivers(_ batch: String) throws -> [String: ExactDecimal] {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(batch.utf8), to: "batch.jsonl")
    _ = try BatchRun.settle(
      [path], output: folder.path("out"), replace: false, options: options())
    let rows = String(decoding: try folder.bytes(of: "out/receivers.csv"), as: UTF8.self).split(separator: "\n")
    var nets: [String: ExactDecimal] = [:]
    for row in rows.dropFirst() {
      let cells = row.split(separator: ",")
      nets["\(cells[0]) \(cells[1])"] = ExactDecimal(String(cells[9]))
    }
    return nets
  }
}

/// A journal as read by these tests, independently of the writer.
struct ReadJournal {
  struct Posting {
    let account: String
    let amount: ExactDecimal
    let commodity: String
  }

  struct Transaction {
    let day: String
    let description: String
    var postings: [Posting] = []
  }

  private(set) var transactions: [Transaction] = []
  private(set) var accounts: [String] = []
  private(set) var commodities: [String] = []
  /// The addresses of beancount's accounts, in quotes.
  private(set) var addresses: [String] = []
  /// The balances asserted at the end, by `ACCOUNT COMMODITY`.
  private(set) var assertions: [String: ExactDecimal] = [:]
  private(set) var assertionDays: Set<String> = []

  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch true {
      case line.hasPrefix(";"), line.hasPrefix("option "), line == "decimal-mark .": continue
      case words[0] == "address:": addresses.append(words[1])
      case words[0] == "account": accounts.append(words[1])
      case words[0] == "commodity": commodities.append(words[1])
      case line.hasPrefix(" ") && words.count == 3:
        let amount = try Self.amount(words[1])
        transactions[transactions.count - 1].postings.append(
          Posting(account: words[0], amount: amount, commodity: words[2]))
      case line.hasPrefix(" "):
        // A zero posting with an assertion; its transaction does not belong to a payment.
        guard words.count == 6, try Self.amount(words[1]).isZero, words[3] == "=", words[2] == words[5] else {
          throw Unreadable(line: String(line))
        }
        assert("\(words[0]) \(words[2])", try Self.amount(words[4]), on: transactions[transactions.count - 1].day)
      case words[1] == "open": accounts.append(words[2])
      case words[1] == "commodity": commodities.append(words[2])
      case words[1] == "balance" && words.count == 7 && words[4...5] == ["~", "0"]:
        assert("\(words[2]) \(words[6])", try Self.amount(words[3]), on: words[0])
      case words[1] == "*":
        transactions.append(
          Transaction(day: words[0], description: words[2...].joined(separator: " ").trimmingCharacters(in: ["\""])))
      default: transactions.append(Transaction(day: words[0], description: words[1...].joined(separator: " ")))
      }
    }
    while transactions.last?.description == "balance assertions" { transactions.removeLast() }
  }

  struct Unreadable: Error {
    let line: String
  }

  private mutating func assert(_ balance: String, _ amount: ExactDecimal, on day: String) {
    precondition(assertions[balance] == nil, "\(balance) is asserted twice")
    assertions[balance] = amount
    assertionDays.insert(day)
  }

  private static func amount(_ text: String) throws -> ExactDecimal {
    guard let amount = ExactDecimal(text) else { throw Unreadable(line: text) }
    return amount
  }

  /// The sum of all postings, by `ACCOUNT COMMODITY`.
  var balances: [String: ExactDecimal] {
    var balances: [String: ExactDecimal] = [:]
    for posting in transactions.flatMap(\.postings) {
      balances["\(posting.account) \(posting.commodity)", default: .zero].add(posting.amount)
    }
    return balances
  }

  /// The same for receivers, as accounts of the batch and currencies, over all parts.
  var receivers: [String: ExactDecimal] {
    var receivers: [String: ExactDecimal] = [:]
    for posting in transactions.flatMap(\.postings) {
      guard let account = Self.receiver(posting.account) else { continue }
      let words = posting.commodity.split(separator: ".E").map(String.init)
      let power = words.count > 1 ? Int(words[1]) ?? 0 : 0
      receivers["\(account) \(words[0])", default: .zero].add(
        posting.amount * ExactDecimal(magnitude: 1, exponent: power))
    }
    return receivers
  }

  private static func receiver(_ name: String) -> String? {
    let (plain, escaped) = ("liabilities:receivers:", "Liabilities:Receivers:")
    if name.hasPrefix(plain) { return String(name.dropFirst(plain.count)) }
    return name.hasPrefix(escaped) ? unescaped(String(name.dropFirst(escaped.count))) : nil
  }

  /// The account that the last part of its beancount name represents.
  static func unescaped(_ name: String) -> String {
    if name.allSatisfy({ ("0"..."9").contains($0) }) { return "+" + name }
    let first = name.prefix(1).lowercased()
    return (first + name.dropFirst()).replacing(/-(?:(At|Dash|Under|Plus|X[0-9A-F]{2})-)?/) { match in
      switch match.1 {
      case nil: "."
      case "At": "@"
      case "Dash": "-"
      case "Under": "_"
      case "Plus": "+"
      case .some(let code): String(Character(Unicode.Scalar(UInt8(code.dropFirst(), radix: 16)!)))
      }
    }
  }
}
