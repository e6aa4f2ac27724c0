import Foundation
import Testing

/// Reads bank files independently of the engine, and compares them with `payouts.csv`.
enum BankFileReader {
  private struct Payment: Hashable {
    let reference: String
    let currency: String
    let amount: String
    let file: String
  }

  static func compare(_ workshop: PayoutWorkshop, _ directory: String) throws {
    var found = Set<Payment>()
    for (name, bytes) in try workshop.files(directory) where name.hasSuffix(".xml") || name.hasSuffix(".ach") {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(bytes.allSatisfy { $0 < 0x80 })
      found.formUnion(name.hasSuffix(".xml") ? pain(text, name) : nacha(text, name))
    }
    let rows = try workshop.rows("\(directory)/payouts.csv")
    let expected = rows.map { Payment(reference: $0[0], currency: $0[2], amount: $0[3], file: $0[6]) }
    #expect(found == Set(expected) && found.count == expected.count)
  }

  /// Checks counts and sums of a file and of each block, and returns its payments.
  private static func pain(_ text: String, _ name: String) -> [Payment] {
    var all: [Payment] = []
    for block in text.components(separatedBy: "<PmtInf>").dropFirst() {
      let payments = block.matches(
        of: /<InstrId>(P\d+-\d+)<\/InstrId><EndToEndId>(P\d+-\d+)<\/EndToEndId>.*?Ccy="(...)">([0-9.]+)</
      ).map { match in
        #expect(match.1 == match.2)
        return Payment(
          reference: String(match.1), currency: String(match.3), amount: String(match.4), file: name)
      }
      expectSums(block, payments)
      all += payments
    }
    expectSums(text, all)
    return all
  }

  private static func expectSums(_ text: String, _ payments: [Payment]) {
    let head = text.firstMatch(of: /<NbOfTxs>(\d+)<\/NbOfTxs><CtrlSum>([0-9.]+)<\/CtrlSum>/)!
    #expect(Int(head.1) == payments.count)
    #expect(cents(String(head.2)) == payments.reduce(0) { $0 + cents($1.amount) })
  }

  private static func cents(_ text: String) -> Int { Int(text.filter { $0 != "." })! }

  /// Checks widths, counts, hashes and sums of a file and of each batch, and returns its payments.
  private static func nacha(_ text: String, _ name: String) -> [Payment] {
    let lines = text.split(separator: "\n").map(Array.init)
    #expect(lines.count % 10 == 0 && lines.allSatisfy { $0.count == 94 })
    func number(_ line: [Character], _ range: Range<Int>) -> Int { Int(String(line[range]))! }
    var payments: [Payment] = []
    var (batch, all) = ((count: 0, hash: 0, sum: 0), (count: 0, hash: 0, sum: 0))
    for line in lines {
      switch line[0] {
      case "6":
        let sum = number(line, 29..<39)
        let reference = String(line[39..<54]).trimmingCharacters(in: .whitespaces)
        batch = (batch.count + 1, batch.hash + number(line, 3..<11), batch.sum + sum)
        all = (all.count + 1, all.hash + number(line, 3..<11), all.sum + sum)
        #expect(number(line, 87..<94) == all.count)
        payments.append(
          Payment(reference: reference, currency: "USD", amount: PayoutWorkshop.decimal(sum), file: name))
      case "8":
        #expect(number(line, 4..<10) == batch.count && number(line, 10..<20) == batch.hash)
        #expect(number(line, 32..<44) == batch.sum)
        batch = (0, 0, 0)
      case "9" where !line.allSatisfy { $0 == "9" }:
        #expect(number(line, 13..<21) == all.count && number(line, 21..<31) == all.hash)
        #expect(number(line, 43..<55) == all.sum && number(line, 7..<13) * 10 == lines.count)
      default: break
      }
    }
    return payments
  }
}
