import FileSystem
import Ledger
import Documents

/// A file for the bank as a payout published it: the payments that it contains.
package struct PublishedBankFile {
  /// The payments of a block.
  package struct Block {
    /// The last letter of the block's id; nil in a format without blocks.
    package let letter: UInt8?
    /// The numbers of its payments in the payout.
    package fileprivate(set) var numbers: [UInt32] = []
  }

  package private(set) var blocks: [Block] = []

  /// Reads a file in the payout's directory; nil if it is not there, or is not the published one.
  package init?(_ name: String, _ method: PayoutMethod, of payout: PayoutEntry) {
    // Whatever keeps it from being read, it cannot say which payments it has.
    guard let sum = payout.sum(of: name), let folder = try? ReportFolder(path: FileName.string(payout.directory)),
      let lines = try? folder.open(name, FindingLog()), (try? read(lines, method)) != nil,
      lines.digests.map(\.digest) == [sum]
    else { return nil }
  }

  private mutating func read(_ lines: ReportLines, _ method: PayoutMethod) throws {
    var reader = BankFormats.of(method).reader()
    while try lines.next() {
      let line = BankLine(lines.current)
      switch reader.read(line) {
      case .block(let letter): blocks.append(Block(letter: letter))
      case .payment(let payment):
        guard let reference = PaymentReference(line[payment.reference]) else { continue }
        if blocks.isEmpty { blocks.append(Block(letter: nil)) }
        blocks[blocks.count - 1].numbers.append(UInt32(reference.number))
      case .invalidPayment, .other: break
      }
    }
    try lines.skipRest()
  }

  /// The names of a payout's files of a method.
  package static func names(_ method: PayoutMethod, of payout: PayoutEntry) -> [String] {
    payout.sums.split(separator: "\n").map { String($0.dropFirst(66)) }.filter { PayoutReport.isBankFile($0, method) }
  }
}

extension PayoutEntry {
  /// The SHA-256 with which a file was published; nil if it was not.
  fileprivate func sum(of name: String) -> String? {
    sums.split(separator: "\n").first { $0.dropFirst(66) == name }.map { String($0.prefix(64)) }
  }
}
