import BatchRun
import Failures
import Text

/// A NACHA file: lines of 94 characters, one batch for persons (PPD), then one for companies (CCD).
struct NACHAFile {
  /// The characters that distinguish the files of a day.
  static let modifiers = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
  /// The most entries and cents of a file, for which its fields have room.
  static let (mostEntries, mostCents) = (999_999, 999_999_999_999)
  /// The number of lines in a block.
  private static let blockLines = 10

  private let common: BankFiles.Common
  private let debtor: Debtor.Entries
  private let modifier: UInt8
  /// The first eight digits of the bank that sends the entries.
  private let odfi: String

  /// The sums of a batch, or of the file.
  private struct Sums {
    var (entries, hash, cents) = (0, 0, 0)
  }

  init(_ common: BankFiles.Common, _ debtor: Debtor.Entries, modifier: UInt8) {
    (self.common, self.debtor, self.modifier) = (common, debtor, modifier)
    odfi = String(debtor.odfi.prefix(8))
  }

  func write(_ instructions: [Instruction], to file: TableFile) throws(Failure) {
    try file.write(appendHeader)
    var (all, batches) = (Sums(), 0)
    for isCompany in [false, true] {
      let entries = instructions.filter { isCompany == (flags($0) & Payees.Head.isCompany != 0) }
      if entries.isEmpty { continue }
      batches += 1
      try file.write { appendBatchHeader(isCompany ? "CCD" : "PPD", batches, to: &$0) }
      var sums = Sums()
      for entry in entries {
        try file.write { append(entry, all.entries + sums.entries + 1, to: &$0) }
        sums.entries += 1
        sums.hash += routing(entry)
        sums.cents += entry.amount
      }
      try file.write { appendControl(sums, batches, to: &$0) }
      all.entries += sums.entries
      all.hash += sums.hash
      all.cents += sums.cents
    }
    let lines = 2 + 2 * batches + all.entries
    let blocks = (lines + Self.blockLines - 1) / Self.blockLines
    try file.write { text in
      text.append("9")
      text.append(batches, digits: 6)
      text.append(blocks, digits: 6)
      text.append(all.entries, digits: 8)
      append(all, to: &text)
      text.append(repeating: 0x20, count: 39)
      text.append("\n")
      for _ in lines..<blocks * Self.blockLines {
        text.append(repeating: 0x39, count: 94)
        text.append("\n")
      }
    }
  }

  private func flags(_ instruction: Instruction) -> UInt8 { common.payees.head(instruction.payee).flags }

  /// The first eight digits of a payee's routing number.
  private func routing(_ instruction: Instruction) -> Int {
    common.payees.bank(instruction.payee).prefix(8).reduce(0) { 10 * $0 + Int($1 - 0x30) }
  }

  /// A day as YYMMDD.
  private static func short(_ day: String) -> String { String(day.dropFirst(2).filter { $0 != "-" }) }

  /// Appends the hash, the debits, which are zero, and the credits.
  private func append(_ sums: Sums, to text: inout TextBuffer) {
    text.append(sums.hash % 10_000_000_000, digits: 10)
    text.append(0, digits: 12)
    text.append(sums.cents, digits: 12)
  }

  private func appendHeader(to text: inout TextBuffer) {
    text.append("101 ")
    text.append(debtor.destination)
    text.append(repeating: 0x20, count: 10 - debtor.origin.utf8.count)
    text.append(debtor.origin)
    text.append(Self.short(common.identity.date))
    text.append("0000")
    text.append(modifier)
    text.append("094101")
    text.append(debtor.destinationName, width: 23)
    text.append(debtor.originName ?? debtor.name, width: 23)
    text.append("P\(common.payout)", width: 8)
    text.append("\n")
  }

  private func appendBatchHeader(_ kind: StaticString, _ batch: Int, to text: inout TextBuffer) {
    text.append("5220")
    text.append(debtor.name, width: 16)
    text.append(repeating: 0x20, count: 20)
    text.append(debtor.company)
    text.append(kind)
    text.append(debtor.description, width: 10)
    text.append(repeating: 0x20, count: 6)
    text.append(Self.short(common.identity.executionDate))
    text.append("   1")
    text.append(odfi)
    text.append(batch, digits: 7)
    text.append("\n")
  }

  private func append(_ entry: Instruction, _ number: Int, to text: inout TextBuffer) {
    let payees = common.payees
    text.append(flags(entry) & Payees.Head.isSavings == 0 ? "622" : "632")
    text.append(payees.bank(entry.payee))
    text.append(payees.number(entry.payee), width: 17)
    text.append(entry.amount, digits: 10)
    let start = text.count
    text.append(reference: common.payout, entry.number)
    text.append(repeating: 0x20, count: start + 15 - text.count)
    var name = payees.name(entry.payee).prefix(22)
    while name.last == 0x20 { name.removeLast() }
    text.append(UnsafeBufferPointer(rebasing: name), width: 22)
    text.append("  0")
    text.append(odfi)
    text.append(number, digits: 7)
    text.append("\n")
  }

  private func appendControl(_ sums: Sums, _ batch: Int, to text: inout TextBuffer) {
    text.append("8220")
    text.append(sums.entries, digits: 6)
    append(sums, to: &text)
    text.append(debtor.company)
    text.append(repeating: 0x20, count: 25)
    text.append(odfi)
    text.append(batch, digits: 7)
    text.append("\n")
  }
}
