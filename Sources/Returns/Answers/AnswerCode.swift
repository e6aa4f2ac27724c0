/// Why someone must look at an answer, in the order of the checks (`returns.md`).
public enum AnswerCode: String, CaseIterable, Sendable {
  /// No place has a text.
  case noReference = "NO_REFERENCE"
  /// Two places have different references, or a file id names another payout.
  case referenceConflict = "REFERENCE_CONFLICT"
  /// The payout was given up; an adjustment has booked its money.
  case givenUp = "GIVEN_UP"
  /// No payout has this payment.
  case unknownReference = "UNKNOWN_REFERENCE"
  /// A debit of a whole file that is not there, or is not the published one.
  case fileUnknown = "FILE_UNKNOWN"
  /// Money moved, and nothing says that the payment came back.
  case unclear = "UNCLEAR"
  /// The bank's own account or company is not the debtor's.
  case otherAccount = "OTHER_ACCOUNT"
  /// The money did not go to the payment's bank account.
  case otherPayee = "OTHER_PAYEE"
  /// Not the payment's currency.
  case currencyDiffers = "CURRENCY_DIFFERS"
  /// Not exactly the payment's amount.
  case amountDiffers = "AMOUNT_DIFFERS"
  /// The bank kept a part, or took more.
  case charged = "CHARGED"
  /// It is older than the payout.
  case beforePayout = "BEFORE_PAYOUT"
  /// The bank says that the payment was sent twice.
  case sentTwice = "SENT_TWICE"
  /// Banks dispute the return.
  case disputed = "DISPUTED"
  /// A whole block or file is refused.
  case fileRefused = "FILE_REFUSED"
  /// The bank says that the payment was made, and that it was not.
  case contradiction = "CONTRADICTION"
  /// The money came back twice.
  case returnedAgain = "RETURNED_AGAIN"
  /// The payment was debited twice.
  case debitedAgain = "DEBITED_AGAIN"
  /// Only pain.002 reports it, and a file was left out that may say that the payment was made.
  case notAllRead = "NOT_ALL_READ"
  /// The bank compared the payee's name.
  case verifyPayee = "VERIFY_PAYEE"
  /// The bank blocked the payment.
  case blocked = "BLOCKED"
  /// A status that is not on the list.
  case statusUnknown = "STATUS_UNKNOWN"
}

/// What became of an answer (`returns.md`).
public enum AnswerResult: String, CaseIterable, Sendable {
  /// The payment is in `returned.csv`.
  case returned = "RETURN"
  /// A debit says that the payment, or a whole file, left the account.
  case confirmed = "CONFIRMED"
  /// Another answer of these files says so already.
  case repeated = "REPEATED"
  /// A payout has booked the return already.
  case booked = "BOOKED"
  /// It is in `changes.csv`.
  case change = "CHANGE"
  /// There is nothing to book.
  case noted = "NOTED"
  /// It has a code.
  case open = "OPEN"
}

/// Statuses of pain.002.
enum PaymentStatus {
  private static func set(_ codes: String) -> Set<[UInt8]> { Set(codes.split(separator: " ").map { Array($0.utf8) }) }

  private static let refused = set("RJCT CANC")
  private static let names = set("RVCM RVMC RVNM RVNA")
  private static let blocked = set("BLCK")
  private static let executed = set("ACSC ACCC")
  private static let underway = set(
    "RCVD ACTC ACCP ACFC PATC ACSP ACWC ACWP ACPD ACSC ACCC ACIS CPUC PRES PDNG PART RCVC RVNC")

  static func isRefused(_ status: [UInt8]) -> Bool { refused.contains(status) }
  static func isExecuted(_ status: [UInt8]) -> Bool { executed.contains(status) }

  /// The code of a status that does not return a payment; nil if it has none.
  static func code(_ status: [UInt8]) -> AnswerCode? {
    if names.contains(status) { return .verifyPayee }
    if blocked.contains(status) { return .blocked }
    return underway.contains(status) ? nil : .statusUnknown
  }
}
