import Payouts

/// Compares the control records of a NACHA file with its records.
struct NACHAControls {
  private struct Sums {
    var (entries, hash, debits, credits) = (0, 0, 0, 0)

    mutating func add(bank: Int, amount: Int, isCredit: Bool) {
      entries += 1
      hash &+= bank
      if isCredit { credits &+= amount } else { debits &+= amount }
    }

    /// The figures in the form of control records.
    var figures: [Int] { [entries, hash % 10_000_000_000, debits, credits] }
  }

  private static let batchControl: [NACHAField] = {
    typealias Field = NACHALayout.BatchControl
    return [Field.entries, Field.hash, Field.debits, Field.credits]
  }()
  private static let fileControl: [NACHAField] = {
    typealias Field = NACHALayout.FileControl
    return [Field.entries, Field.hash, Field.debits, Field.credits]
  }()
  private static let names = ["count of entries and addenda", "entry hash", "sum of debits", "sum of credits"]

  private var (batch, file) = (Sums(), Sums())
  /// The line of the file header that no file control has followed yet.
  private var header: Int?
  /// Whether a batch header, or entries outside of a batch, were not followed by a batch control yet.
  private var (isInBatch, hasLooseEntries) = (false, false)
  /// Whether anything came after the last file control.
  private var isOpen = false
  /// Whether the batch, the file or any file has automated accounting advices.
  private var (isAdvice, fileHasAdvice, hasAdvice) = (false, false, false)
  private var lacksRecord = false
  private(set) var disagreement: (line: Int, text: String)?

  var state: AnswerFile.ControlState {
    disagreement != nil ? .mismatch : lacksRecord || hasAdvice ? .absent : .verified
  }

  /// Whether the entries have the layout of advices.
  var hasAdviceEntries: Bool { isAdvice }

  mutating func beginFile(line: Int) {
    endFile()
    header = line
  }

  mutating func beginBatch(isAdvice: Bool) {
    endBatch()
    (isInBatch, isOpen, batch) = (true, true, Sums())
    self.isAdvice = isAdvice
    if isAdvice { (fileHasAdvice, hasAdvice) = (true, true) }
  }

  mutating func addEntry(bank: Int?, code: UInt8, amount: Int?) {
    isOpen = true
    if !isInBatch { (hasLooseEntries, lacksRecord) = (true, true) }
    // An entry without a code is neither.
    let amount = code &- 0x30 < 10 ? amount ?? 0 : 0
    batch.add(bank: bank ?? 0, amount: amount, isCredit: code < 0x35)
    file.add(bank: bank ?? 0, amount: amount, isCredit: code < 0x35)
  }

  mutating func addAddenda() {
    batch.entries += 1
    file.entries += 1
  }

  mutating func compareBatch(_ record: NACHARecord, line: Int) {
    if !isInBatch { lacksRecord = true }
    if !isAdvice { compare(batch, record, Self.batchControl, "batch control", line) }
    (isInBatch, hasLooseEntries, isOpen, isAdvice, batch) = (false, false, true, false, Sums())
  }

  mutating func compareFile(_ record: NACHARecord, line: Int) {
    endBatch()
    if !fileHasAdvice { compare(file, record, Self.fileControl, "file control", line) }
    (header, isOpen, fileHasAdvice, file) = (nil, false, false, Sums())
  }

  private mutating func compare(
    _ sums: Sums, _ record: NACHARecord, _ fields: [NACHAField], _ name: String, _ line: Int
  ) {
    for (place, field) in fields.enumerated() where record.number(field) != sums.figures[place] {
      disagree(line, "the \(Self.names[place]) of the \(name) is not that of its records")
    }
  }

  private mutating func disagree(_ line: Int, _ text: String) {
    if disagreement == nil { disagreement = (line, text) }
  }

  /// A batch ends without its control.
  private mutating func endBatch() {
    if isInBatch || hasLooseEntries { lacksRecord = true }
    (isInBatch, hasLooseEntries, isAdvice, batch) = (false, false, false, Sums())
  }

  /// A file ends without its control, unless it has had that.
  mutating func endFile() {
    endBatch()
    if let header { disagree(header, "no file control follows the file header; the file was cut short") }
    if isOpen { lacksRecord = true }
    (header, isOpen, fileHasAdvice, file) = (nil, false, false, Sums())
  }
}
