/// A format of answers: its name, how its files are recognized, and what reads them.
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
  let reading: Reading

  /// All formats. If several answers return one payment, the first of these counts.
  static let all = [
    AnswerFormat(name: "NACHA", reading: .text(begins: NACHAReader.begins, read: NACHAReader.read)),
    AnswerFormat(
      name: "CAMT053",
      reading: .document(child: "BkToCstmrStmt") { EntryReader($0, format: $1, isStatement: true) }),
    AnswerFormat(
      name: "CAMT054",
      reading: .document(child: "BkToCstmrDbtCdtNtfctn") { EntryReader($0, format: $1, isStatement: false) }),
    AnswerFormat(name: "PAIN002", reading: .document(child: "CstmrPmtStsRpt") { StatusReader($0, format: $1) }),
    AnswerFormat(name: "CSV", reading: .text(begins: AnswerList.begins, read: AnswerList.read)),
  ]
}
