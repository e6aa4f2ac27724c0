/// A format of answers: its name, how its files are recognized, what reads them, and what its answers say.
struct AnswerFormat: Sendable {
  enum Reading: Sendable {
    /// A text that is recognized by its beginning.
    case text(
      begins: @Sendable (AnswerSource) -> Bool,
      read: @Sendable (AnswerSource, AnswerIntake, _ format: Int) throws(ReadingStop) -> AnswerFile.Content)
    /// An XML document that is recognized by the first child of `Document`.
    case document(child: String, reader: @Sendable (AnswerIntake, _ format: Int) -> any DocumentReader)
  }

  let name: String
  /// What messages call a file of it.
  let title: String
  let reading: Reading
  /// If several answers return one payment, one of the lowest rank counts.
  let rank: Int
  /// Whether its answers are entries of the own account: money moved on a day.
  var isEntry = false
  /// Whether its answers are what the bank says of a payment; no money need have moved.
  var isStatus = false
  /// Whether a person made it, so that nothing in it is doubted.
  var isList = false

  /// All formats.
  static let all = [
    AnswerFormat(
      name: "NACHA", title: "a NACHA file", reading: .text(begins: NACHAReader.begins, read: NACHAReader.read), rank: 1),
    AnswerFormat(
      name: "CAMT053", title: "camt.053",
      reading: .document(child: "BkToCstmrStmt") { EntryReader($0, format: $1, isStatement: true) },
      rank: 2, isEntry: true),
    AnswerFormat(
      name: "CAMT054", title: "camt.054",
      reading: .document(child: "BkToCstmrDbtCdtNtfctn") { EntryReader($0, format: $1, isStatement: false) },
      rank: 3, isEntry: true),
    AnswerFormat(
      name: "PAIN002", title: "pain.002",
      reading: .document(child: "CstmrPmtStsRpt") { StatusReader($0, format: $1) }, rank: 4, isStatus: true),
    AnswerFormat(
      name: "CSV", title: "a list with the header reference,reason",
      reading: .text(begins: AnswerList.begins, read: AnswerList.read), rank: 5, isList: true),
  ]

  /// The formats for messages: `a NACHA file, camt.053, ... or a list`.
  static var titles: String {
    let titles = all.map(\.title)
    return titles.dropLast().joined(separator: ", ") + " or \(titles.last!)"
  }

  /// The kinds of XML documents for messages: `camt.053 (BkToCstmrStmt)`.
  static var documents: String {
    let kinds = all.compactMap { format in
      if case .document(let child, _) = format.reading { "\(format.title) (\(child))" } else { nil }
    }
    return kinds.dropLast().joined(separator: ", ") + " or \(kinds.last!)"
  }
}

extension AnswerHead {
  var asFormat: AnswerFormat { AnswerFormat.all[Int(format)] }
}
