import Failures

/// A NACHA file: one batch for persons (PPD), then one for companies (CCD).
struct NACHAFile {
  private typealias Layout = NACHALayout

  /// The characters that distinguish the files of a day.
  static let modifiers = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
  /// The most entries and cents of a file, for which its fields have room.
  static let (mostEntries, mostCents) = (999_999, 999_999_999_999)
  /// Credits only.
  private static let serviceClass = "220"

  private let common: BankFiles.Common
  private let debtor: NACHATerms
  private let modifier: UInt8
  /// The first eight digits of the bank that sends the entries.
  private let odfi: String

  /// The sums of a batch, or of the file.
  private struct Sums {
    var (entries, hash, cents) = (0, 0, 0)
  }

  init(_ common: BankFiles.Common, _ debtor: NACHATerms, modifier: UInt8) {
    (self.common, self.debtor, self.modifier) = (common, debtor, modifier)
    odfi = String(debtor.odfi.prefix(8))
  }

  func write(_ instructions: [Instruction], to file: TableFile) throws(Failure) {
    try file.write { $0.append(header) }
    var (all, batches) = (Sums(), 0)
    for isCompany in [false, true] {
      let entries = instructions.filter { isCompany == (flags($0) & Payees.Head.isCompany != 0) }
      if entries.isEmpty { continue }
      batches += 1
      try file.write { $0.append(batchHeader(isCompany ? "CCD" : "PPD", batches)) }
      var sums = Sums()
      for entry in entries {
        try file.write { $0.append(line(of: entry, all.entries + sums.entries + 1)) }
        sums.entries += 1
        sums.hash += routing(entry)
        sums.cents += entry.amount
      }
      try file.write { $0.append(batchControl(sums, batches)) }
      all.entries += sums.entries
      all.hash += sums.hash
      all.cents += sums.cents
    }
    let lines = 2 + 2 * batches + all.entries
    let blocks = (lines + Layout.blockLines - 1) / Layout.blockLines
    try file.write { text in
      text.append(fileControl(all, batches: batches, blocks: blocks))
      for _ in lines..<blocks * Layout.blockLines {
        text.append(repeating: 0x39, count: Layout.lineLength)
        text.append("\n")
      }
    }
  }

  private func flags(_ instruction: Instruction) -> UInt8 { common.payees.head(instruction.payee).flags }

  /// The part of a payee's routing number that the hash adds up.
  private func routing(_ instruction: Instruction) -> Int {
    common.payees.with(.bank, of: instruction.payee) { bank in
      (0..<Layout.Entry.routingDigits.width).reduce(0) { 10 * $0 + Int(bank[$1] - 0x30) }
    }
  }

  /// The hash that a control record has.
  private static func shown(hash: Int) -> Int { hash % 10_000_000_000 }

  /// A day as YYMMDD.
  private static func short(_ day: String) -> String { String(day.dropFirst(2).filter { $0 != "-" }) }

  // MARK: Records

  private var header: NACHALine {
    typealias Field = Layout.FileHeader
    var line = NACHALine(Field.digit)
    line.set(Field.priority, "01")
    line.set(Field.destination, debtor.destination)
    line.set(Field.origin, endingWith: debtor.origin)
    line.set(Field.creationDate, Self.short(common.identity.date))
    line.set(Field.creationTime, 0)
    line.set(Field.modifier, CollectionOfOne(modifier).span)
    line.set(Field.sizes, "094101")
    line.set(Field.destinationName, debtor.destinationName)
    line.set(Field.originName, debtor.originName ?? debtor.name)
    line.set(Field.referenceCode, "P\(common.payout)")
    return line
  }

  private func batchHeader(_ entryClass: String, _ batch: Int) -> NACHALine {
    typealias Field = Layout.BatchHeader
    var line = NACHALine(Field.digit)
    line.set(Field.serviceClass, Self.serviceClass)
    line.set(Field.companyName, debtor.name)
    line.set(Field.company, debtor.company)
    line.set(Field.entryClass, entryClass)
    line.set(Field.description, debtor.description)
    line.set(Field.effectiveDate, Self.short(common.identity.executionDate))
    line.set(Field.originatorStatus, 1)
    line.set(Field.odfi, odfi)
    line.set(Field.batch, batch)
    return line
  }

  private func line(of entry: Instruction, _ number: Int) -> NACHALine {
    typealias Field = Layout.Entry
    let payees = common.payees
    var line = NACHALine(Field.digit)
    line.set(Field.transactionCode, flags(entry) & Payees.Head.isSavings == 0 ? "22" : "32")
    payees.with(.bank, of: entry.payee) { line.set(Field.routing, $0) }
    payees.with(.number, of: entry.payee) { line.set(Field.accountNumber, $0) }
    line.set(Field.amount, entry.amount)
    line.set(Field.identification, "P\(common.payout)-\(entry.number)")
    payees.with(.name, of: entry.payee) { name in
      var count = min(name.count, Field.name.width)
      while count > 0, name[count - 1] == 0x20 { count -= 1 }
      line.set(Field.name, name.extracting(first: count))
    }
    line.set(Field.hasAddenda, 0)
    line.set(Field.odfi, odfi)
    line.set(Field.number, number)
    return line
  }

  private func batchControl(_ sums: Sums, _ batch: Int) -> NACHALine {
    typealias Field = Layout.BatchControl
    var line = NACHALine(Field.digit)
    line.set(Field.serviceClass, Self.serviceClass)
    line.set(Field.entries, sums.entries)
    line.set(Field.hash, Self.shown(hash: sums.hash))
    line.set(Field.debits, 0)
    line.set(Field.credits, sums.cents)
    line.set(Field.company, debtor.company)
    line.set(Field.odfi, odfi)
    line.set(Field.batch, batch)
    return line
  }

  private func fileControl(_ sums: Sums, batches: Int, blocks: Int) -> NACHALine {
    typealias Field = Layout.FileControl
    var line = NACHALine(Field.digit)
    line.set(Field.batches, batches)
    line.set(Field.blocks, blocks)
    line.set(Field.entries, sums.entries)
    line.set(Field.hash, Self.shown(hash: sums.hash))
    line.set(Field.debits, 0)
    line.set(Field.credits, sums.cents)
    return line
  }
}
