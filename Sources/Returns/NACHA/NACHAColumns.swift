/// Where the fields of NACHA records are that answers are read from: columns of a line, from 0.
enum NACHAColumns {
  static let length = 94

  /// The digits of a day in a file header: YYMMDD.
  static let creationDate = 23..<29
  /// Which transactions a batch has; `280` is of automated accounting advices, which have another layout.
  static let serviceClass = 1..<4
  static let company = 40..<50

  static let transactionCode = 1..<3
  /// The first eight digits of a bank's routing number.
  static let receivingBank = 3..<11
  static let amount = 29..<39
  static let identification = 39..<54

  static let addendaType = 1..<3
  static let reason = 3..<6
  static let corrected = 35..<64

  /// Entries and addenda, hash, debits and credits in a control record.
  static let batchControl = [4..<10, 10..<20, 20..<32, 32..<44]
  static let fileControl = [13..<21, 21..<31, 31..<43, 43..<55]
}
