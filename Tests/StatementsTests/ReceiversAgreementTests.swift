import ExactArithmetic
import SampleBatch
import Statements
import Testing
import TestSupport

/// Compares statements of all accounts with `receivers.csv` of a run, for generated batches with defects.
@Suite struct ReceiversAgreementTests {
  private static func batch(seed: UInt64) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let options = SampleBatchOptions(
      payments: 600, seed: seed, defectsPerMillion: 100_000, accounts: 100, features: seed % 2 == 0 ? .splits : [])
    _ = try SampleBatch.write(options, isLZ4: false) { bytes.append($0) }
    return bytes
  }

  /// An amount with two implied decimals.
  private static func implied(_ text: String) throws -> ExactDecimal {
    let number = try #require(ExactDecimal(text))
    return number * ExactDecimal(magnitude: 1, exponent: -2)
  }

  private static func number(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  @Test("only the defects are rejected", arguments: 1...4 as ClosedRange<UInt64>)
  func defectsAlone(seed: UInt64) throws {
    let outcome = try Counter().statements(Self.batch(seed: seed), .csv).outcome
    #expect(outcome.result.totals[.rejected] == 60)
  }

  @Test("sums by account and currency", arguments: 1...6 as ClosedRange<UInt64>)
  func stl(seed: UInt64) throws {
    print("ReceiversAgreementTests stl seed \(seed)")
    let counter = try Counter()
    let batch = try Self.batch(seed: seed)
    let files = try counter.statements(batch, .stl, threads: 2).files
    let accounts = rows(files["accounts.csv"] ?? "").dropFirst()
    var sums: [String] = []
    for account in accounts {
      let rows = rows(try #require(files[account[2]]))
      #expect(rows[2][3] == account[1] && rows[0][3] == account[1])
      let body = rows.filter { $0[0] == "SB" }
      #expect(body.allSatisfy { $0.count == 22 } && rows[3].count == 22)
      for code in Set(body.map { $0[10] }).sorted() {
        let mine = body.filter { $0[10] == code }
        let credits = try mine.filter { $0[8] == "CR" }.reduce(ExactDecimal.zero) { $0 + (try Self.implied($1[9])) }
        let debits = try mine.filter { $0[8] == "DR" }.reduce(ExactDecimal.zero) { $0 + (try Self.implied($1[9])) }
        let fees = try mine.filter { !$0[12].isEmpty }.reduce(ExactDecimal.zero) { $0 + (try Self.implied($1[12])) }
        #expect(mine.allSatisfy { ($0[11] == "DR" && $0[13] == code) || ($0[11] + $0[12] + $0[13]).isEmpty })
        sums.append("\(account[1]),\(code) \(Self.key([credits, debits, fees, credits - debits - fees]))")
        // The footers say the same.
        for type in ["SF", "RF"] {
          let footer = try #require(rows.first { $0[0] == type && $0[1] == code })
          #expect(footer.count == 19 && footer[18] == "\(body.count)")
          #expect(try Self.implied(footer[2]) == credits && Self.implied(footer[3]) == debits)
          #expect(try footer[4] == "0" && Self.implied(footer[5]) == fees)
          for place in [6, 10, 14] { #expect(footer[place...place + 1] == ["CR", "0"]) }
          for place in [8, 12, 16] {
            #expect(try footer[place] == "CR" && Self.implied(footer[place + 1]) == credits - debits - fees)
          }
        }
      }
      #expect(rows.suffix(1) == [["FF", "\(body.count)"]])
    }
    let receivers = try counter.receivers(batch)
    #expect(!receivers.isEmpty)
    #expect(
      sums
        == (try receivers.map { row in
          "\(row[0]),\(row[1]) \(Self.key([try Self.number(row[3]), try Self.number(row[4]), try Self.number(row[5]), try Self.number(row[6])]))"
        }))
  }

  @Test("sums and payments by account and currency", arguments: 1...6 as ClosedRange<UInt64>)
  func csv(seed: UInt64) throws {
    print("ReceiversAgreementTests csv seed \(seed)")
    let counter = try Counter()
    let batch = try Self.batch(seed: seed)
    let files = try counter.statements(batch, .csv, threads: 2).files
    var sums: [String] = []
    for account in rows(files["accounts.csv"] ?? "").dropFirst() {
      let rows = rows(try #require(files[account[2]])).dropFirst()
      #expect(rows.allSatisfy { $0.count == 12 })
      for code in Set(rows.map { $0[4] }).sorted() {
        let mine = rows.filter { $0[4] == code }
        let figures = try (5...8).map { column in
          try mine.reduce(ExactDecimal.zero) { $0 + (try Self.number($1[column])) }
        }
        sums.append("\(account[1]),\(code),\(mine.count) \(Self.key(figures))")
      }
    }
    #expect(
      sums
        == (try counter.receivers(batch).map { row in
          "\(row[0]),\(row[1]),\(row[2]) \(Self.key(try (3...6).map { try Self.number(row[$0]) }))"
        }))
  }

  /// Figures in a form in which equal figures look the same.
  private static func key(_ figures: [ExactDecimal]) -> String {
    figures.map { $0.strippingTrailingZeros().scientificDescription }.joined(separator: " ")
  }

  @Test("the same bytes with 1, 2 and 7 threads, and chunks of any length", arguments: StatementFormat.allCases)
  func sameBytes(_ format: StatementFormat) throws {
    let counter = try Counter()
    for batch in [try Self.batch(seed: 9), MixedBatch.bytes(records: 400, seed: 5)] {
      let expected = try counter.statements(batch, format, day: "2026-11-20").files
      for (threads, chunk) in [(1, 1000), (2, 1 << 20), (2, 777), (7, 5000)] {
        #expect(
          try counter.statements(batch, format, day: "2026-11-20", threads: threads, chunk: chunk).files == expected)
      }
    }
  }
}
