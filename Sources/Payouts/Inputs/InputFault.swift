import Documents

/// What is wrong with a line or a field of a file that a payout reads. Messages quote no value, as a bank account may be
/// in the wrong column.
package struct InputFault: Error {
  /// The codes, in the order in which they are checked.
  package enum Code: String {
    case payeesHeader = "PAYEES_HEADER"
    case returnedHeader = "RETURNED_HEADER"
    case adjustmentsHeader = "ADJUSTMENTS_HEADER"
    case termsHeader = "TERMS_HEADER"
    case recordTooLong = "RECORD_TOO_LONG"
    case invalidUTF8 = "INVALID_UTF8"
    case malformedCSV = "MALFORMED_CSV"
    case fieldCount = "FIELD_COUNT"
    case missingField = "MISSING_FIELD"
    case fieldNotAllowed = "FIELD_NOT_ALLOWED"
    case invalidValue = "INVALID_VALUE"
    case invalidAccount = "INVALID_ACCOUNT"
    case currencyNotSupported = "CURRENCY_NOT_SUPPORTED"
    case nameCharacters = "NAME_CHARACTERS"
    case nameTooLong = "NAME_TOO_LONG"
    case addressCharacters = "ADDRESS_CHARACTERS"
    case addressTooLong = "ADDRESS_TOO_LONG"
    case invalidCountry = "INVALID_COUNTRY"
    case methodCurrency = "METHOD_CURRENCY"
    case ibanForm = "IBAN_FORM"
    case ibanCountry = "IBAN_COUNTRY"
    case ibanLength = "IBAN_LENGTH"
    case ibanChecksum = "IBAN_CHECKSUM"
    case invalidBIC = "INVALID_BIC"
    case invalidRouting = "INVALID_ROUTING"
    case invalidAccountNumber = "INVALID_ACCOUNT_NUMBER"
    case duplicatePayee = "DUPLICATE_PAYEE"
    case invalidReference = "INVALID_REFERENCE"
    case duplicateReference = "DUPLICATE_REFERENCE"
    case unknownReference = "UNKNOWN_REFERENCE"
    case alreadyReturned = "ALREADY_RETURNED"
    case invalidAmount = "INVALID_AMOUNT"
    case duplicateAdjustment = "DUPLICATE_ADJUSTMENT"
    case alreadyAdjusted = "ALREADY_ADJUSTED"
    case unknownAccount = "UNKNOWN_ACCOUNT"
    case duplicateTerms = "DUPLICATE_TERMS"
  }

  /// The line, from 1.
  package let line: Int
  /// The column's index, from 0; nil for a whole line.
  package let column: Int?
  package let code: Code
  package var detail = Detail.none

  /// What a message says besides the code.
  package enum Detail {
    case none
    /// What is wrong with a name.
    case text(BankText.Fault)
    /// The fields that a record has, and how many it must have.
    case fields(Int, of: Int)
    /// The most characters.
    case limit(Int)
    /// That the amount is what a payout paid.
    case payment
    /// That the field is one of terms.
    case terms
    /// The payee's method.
    case method(PayoutMethod)
    /// How the first record differs from the header.
    case header(HeaderDifference)
  }

  package init(line: Int, column: Int?, code: Code, detail: Detail = .none) {
    (self.line, self.column, self.code, self.detail) = (line, column, code, detail)
  }

  /// Whether a fault is reported before another one.
  package static func precedes(_ left: InputFault, _ right: InputFault) -> Bool {
    (left.line, left.column ?? -1) < (right.line, right.column ?? -1)
  }
}

extension InputFault {
  /// What is wrong, and what was expected.
  ///
  /// - Parameter columns: the names of the file's columns.
  package func message(columns: [String]) -> String {
    switch (code, detail) {
    case (.payeesHeader, .header(let difference)), (.returnedHeader, .header(let difference)),
      (.adjustmentsHeader, .header(let difference)), (.termsHeader, .header(let difference)):
      "\(difference.message); expected \(difference.columns.joined(separator: ","))"
    case (.payeesHeader, _), (.returnedHeader, _), (.adjustmentsHeader, _), (.termsHeader, _):
      "the first record must be the header"
    case (.recordTooLong, _): "the line has more than \(InputLines.limit) bytes"
    case (.invalidUTF8, _): "the line is not UTF-8"
    case (.malformedCSV, _): "a quote is stray, or is not closed on this line"
    case (.fieldCount, .fields(let count, let expected)): "expected \(expected) fields, found \(count)"
    case (.fieldCount, _): "expected \(columns.count) fields"
    case (.missingField, _): "the field is empty; expected a value"
    case (.fieldNotAllowed, _): "the field belongs to the other method; expected an empty field"
    case (.invalidValue, _): "expected \(Self.values(of: column.map { columns[$0] } ?? ""))"
    case (.invalidAccount, .terms): "expected an email address, a phone number, or * for all accounts"
    case (.invalidAccount, _): "expected an email address or a phone number"
    case (.currencyNotSupported, _): "expected the code of a supported currency, in capital letters"
    case (.nameCharacters, .text(let fault)): fault.message
    case (.nameCharacters, _): "the name has a character that banks do not take"
    case (.addressCharacters, .text(let fault)): fault.message
    case (.addressCharacters, _): "the address has a character that banks do not take"
    case (.addressTooLong, .limit(let limit)): "the text has more than \(limit) characters"
    case (.addressTooLong, _): "the text is too long"
    case (.invalidCountry, _): "expected the two letters of a country"
    case (.nameTooLong, _): "the name has more than \(BankText.nameLimit) characters"
    case (.methodCurrency, .method(let method)):
      "\(method.name) pays only in \((BankFormats.of(method).currencies ?? []).joined(separator: ", "))"
    case (.methodCurrency, _): "the method does not pay in this currency"
    case (.ibanForm, _): "expected a country, two check digits, and the letters and digits of the country's format"
    case (.ibanCountry, _): "no IBAN format is known for the country"
    case (.ibanLength, _): "the IBAN does not have its country's length"
    case (.ibanChecksum, _): "the check digits do not fit; a digit may be mistyped"
    case (.invalidBIC, _): "expected a BIC of 8 or 11 letters and digits"
    case (.invalidRouting, _): "expected a routing number: 9 digits that begin with a known district and add up"
    case (.invalidAccountNumber, _): "expected 1 to 17 letters, digits and hyphens, not only zeros and hyphens"
    case (.duplicatePayee, _): "an earlier line has the same account and currency"
    case (.invalidReference, _):
      "expected the reference of a payment: P, the payout's number, a hyphen and the number in the payout"
    case (.duplicateReference, _): "an earlier line has the same reference"
    case (.unknownReference, _):
      "the ledger has no payment of this reference; if its payout was given up, book the money as an adjustment"
    case (.alreadyReturned, _): "an earlier payout has booked this return"
    case (.invalidAmount, .terms):
      "expected an amount of zero or more, such as 12.50, with at most the currency's decimals"
    case (.invalidAmount, .payment): "expected an amount below zero, such as -12.50"
    case (.invalidAmount, _): "expected an amount, not zero, such as -12.50, with at most the currency's decimals"
    case (.duplicateAdjustment, _): "an earlier line has the same key"
    case (.alreadyAdjusted, _): "the ledger has another adjustment with this key"
    case (.unknownAccount, _):
      "neither the ledger nor the payees file has this account and currency; a misspelt account would be paid"
    case (.duplicateTerms, _): "an earlier line has the same account, currency and day"
    }
  }

  /// The values of a column that has only a few, or their form.
  private static func values(of column: String) -> String {
    switch column {
    case "method": PayoutMethod.all.map(\.name).joined(separator: " or ")
    case "account_type": "CHECKING or SAVINGS"
    case "holder": "PERSON or COMPANY"
    case "language": "nothing, or one of \(StatementLocale.all.map(\.name).joined(separator: ", "))"
    case "from": "a day from 2000-01-01 to 2099-12-31, such as 2026-11-01"
    case "delay_days", "reserve_days": "0 to 365, without leading zeros"
    case "reserve_percent": "0 to 100, without leading zeros and with at most two decimals, such as 2.5"
    case "hold": "yes, no, nothing, or retry, a space and the reference of the last return of the bank account"
    default: "1 to 35 of A-Z a-z 0-9 . _ -"
    }
  }
}

/// A fault as the command reports it.
public struct ReportedFault: Sendable {
  /// The file's path as given, safe to show.
  public let file: String
  /// The line; nil for a whole file.
  public let line: Int?
  /// The code, such as `IBAN_CHECKSUM`.
  public let code: String
  /// The column's name, or a JSON Pointer; nil for a whole line or file.
  public let field: String?
  /// What is wrong, and what was expected.
  public let message: String

  package init(file: String, line: Int?, code: String, field: String?, message: String) {
    (self.file, self.line, self.code, self.field, self.message) = (file, line, code, field, message)
  }

  /// `CODE at FIELD: message`.
  public var text: String { "\(code)\(field.map { " at \($0)" } ?? ""): \(message)" }
}
