import Import

/// The result of importing some requests.
struct Imported {
  /// The batch's lines.
  private(set) var lines: [String] = []
  /// The messages, `line ID FIELD: reason` or `line note FIELD: reason`.
  private(set) var told: [String] = []
  let isWhole: Bool
  let requests: Int
  let payments: Int

  init(
    _ text: [UInt8], _ format: RequestImport.Format, createdAt: String? = nil, merchant: String? = nil
  ) {
    var batch = RequestImport(format, createdAt: createdAt, merchant: merchant)
    var told: [String] = []
    isWhole = batch.read(text) { finding in
      let id = finding.payPalErrorID.map { "\($0)" } ?? "note"
      told.append("\(finding.line) \(id) \(finding.field): \(finding.reason)")
    }
    self.told = told
    requests = batch.requests
    payments = batch.imported
    var written: [UInt8] = []
    batch.writeBatch { written.append($0) }
    lines = String(decoding: written, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  init(json text: String) { self.init(Array(text.utf8), .json) }

  init(nameValue text: String, createdAt: String? = nil) {
    self.init(Array(text.utf8), .nameValue, createdAt: createdAt)
  }

  /// The payments' records.
  var records: [String] { Array(lines.dropFirst().dropLast()) }

  /// Line, id and field of each fault.
  var faults: [String] {
    told.filter { !$0.contains(" note ") }.map { String($0.prefix { $0 != ":" }) }
  }

  /// The fields of the notes.
  var notes: [String] {
    told.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return words[1] == "note" ? String(words[2].prefix { $0 != ":" }) : nil
    }
  }
}
