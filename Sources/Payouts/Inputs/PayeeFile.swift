import Documents
import Ledger
import Money
import Records
import Text

/// Reads the payees file (`payouts.md`, Payees).
final class PayeeFile: RecordFile {
  /// The columns, in their order.
  enum Column: Int, CaseIterable {
    case account, currency, name, method, iban, bic, routing, account_number, account_type, holder, hold
    case street, building, postcode, town, country
    case language
  }

  static let columns = Column.allCases.prefix { $0 != .street }.map { "\($0)" }
  static let furtherColumns = [PostalAddress.parts.map(\.name), ["\(Column.language)"]]
  static let headerFault = InputFault.Code.payeesHeader

  let payees = Payees()
  private(set) var faults = InputFaults()
  // The current record.
  private var line = 0
  /// Nil if it is not valid.
  private(set) var currency: Currency?
  var head = Payees.Head()
  var texts = PayeeTexts()

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func note(_ code: InputFault.Code, _ column: Column, _ detail: InputFault.Detail = .none) {
    note(InputFault(line: line, column: column.rawValue, code: code, detail: detail))
  }

  /// Whether the payee is on hold and has no bank account.
  private func isWithoutAccount(_ record: borrowing CSVRecord) -> Bool {
    guard head.flags & Payees.Head.isOnHold != 0, record[.method].isEmpty else { return false }
    for format in BankFormats.all {
      for column in format.payeeColumns where !record.isEmpty(column) { return false }
    }
    return true
  }

  /// Checks what depends on all lines.
  func finish() {
    payees.sort { note(InputFault(line: $0, column: Column.account.rawValue, code: .duplicatePayee)) }
  }

  func read(_ record: borrowing CSVRecord, line: Int) {
    (self.line, head) = (line, Payees.Head(line: UInt32(line)))
    texts.removeAll()
    let before = faults.count
    let hasAccount = readAccount(record[.account])
    currency = Currency.find(record[.currency])
    if currency == nil { note(record[.currency].isEmpty ? .missingField : .currencyNotSupported, .currency) }
    readHold(record)
    readName(record)
    if !isWithoutAccount(record) { readMethod(record) }
    readAddress(record)
    readLanguage(record)
    guard hasAccount, let currency else { return }
    head.currency = currency.index
    // A later line may still repeat a faulty one.
    if faults.count != before { texts.removeAll(keepsAccount: true) }
    _ = payees.append(head, texts)
  }

  private func readAccount(_ field: Span<UInt8>) -> Bool {
    if field.isEmpty {
      note(.missingField, .account)
      return false
    }
    texts.account.append(field)
    let isValid = Account.canonicalize(&texts.account)
    if !isValid { note(.invalidAccount, .account) }
    return isValid
  }

  private func readName(_ record: borrowing CSVRecord) {
    if record.isBlank(.name) {
      if !isWithoutAccount(record) { note(.missingField, .name) }
      return
    }
    if let fault = BankText.convert(record[.name], into: &texts.name) {
      return note(.nameCharacters, .name, .text(fault))
    }
    if texts.name.count > BankText.nameLimit { note(.nameTooLong, .name) }
  }

  /// Reads `yes`, `no`, nothing, or `retry` and a reference.
  private func readHold(_ record: borrowing CSVRecord) {
    let word: StaticString = "retry "
    if record[.hold].starts(with: word.bytes) {
      let reference = record[.hold].extracting(droppingFirst: word.utf8CodeUnitCount)
      guard PaymentReference(reference) != nil else { return note(.invalidValue, .hold) }
      return texts.retry.append(reference)
    }
    readChoice(.hold, of: record, ["no", "yes"], Payees.Head.isOnHold, isRequired: false)
  }

  /// Reads the address, if the file has addresses and this payee has one.
  private func readAddress(_ record: borrowing CSVRecord) {
    guard record.count >= Self.columns.count + PostalAddress.parts.count else { return }
    let columns = PostalAddress.parts.indices.map { Column(rawValue: Column.street.rawValue + $0)! }
    var isGiven = false
    for column in columns where !record.isBlank(column) { isGiven = true }
    guard isGiven else { return }
    for (part, column) in zip(PostalAddress.parts, columns) {
      if column != .street { texts.address.append(PostalAddress.separator) }
      if record.isBlank(column) {
        if part.isRequired { note(.missingField, column) }
      } else if column == .country {
        guard let code = PostalAddress.countryCode(record[column]) else { return note(.invalidCountry, column) }
        texts.address.append(code)
      } else {
        var text = TextBuffer()
        if let fault = BankText.convert(record[column], into: &text) {
          note(.addressCharacters, column, .text(fault))
        } else if text.count > part.limit {
          note(.addressTooLong, column, .limit(part.limit))
        } else {
          texts.address.append(text.span)
        }
      }
    }
  }

  /// Reads the locale of the payee's pages, if the file has the column: the last one.
  private func readLanguage(_ record: borrowing CSVRecord) {
    let further = record.count - Self.columns.count
    guard further == 1 || further > PostalAddress.parts.count else { return }
    let field = record[record.count - 1]
    if field.isEmpty { return }
    guard StatementLocale(String(decoding: field)) != nil else { return note(.invalidValue, .language) }
    texts.language.append(field)
  }

  /// Reads the method, and its columns; those of the others must be empty.
  private func readMethod(_ record: borrowing CSVRecord) {
    let field = record[.method]
    guard let format = BankFormats.all.first(where: { field.isEqual(to: $0.method.name.utf8Span.span) }) else {
      return note(field.isEmpty ? .missingField : .invalidValue, .method)
    }
    head.method = UInt8(format.method.place)
    if let currency, !format.pays(currency) { note(.methodCurrency, .method, .method(format.method)) }
    format.read(record, self)
    for other in BankFormats.all where other.method != format.method {
      for column in other.payeeColumns where !record.isEmpty(column) { note(.fieldNotAllowed, column) }
    }
  }

  // MARK: Columns of methods

  /// Whether a required field is valid; notes what is wrong with it.
  func expect(
    _ column: Column, of record: borrowing CSVRecord, _ code: InputFault.Code, _ isValid: (Span<UInt8>) -> Bool
  ) -> Bool {
    let field = record[column]
    if !field.isEmpty, isValid(field) { return true }
    note(field.isEmpty ? .missingField : code, column)
    return false
  }

  /// Reads one of two words; the second sets a flag.
  func readChoice(
    _ column: Column, of record: borrowing CSVRecord, _ words: [StaticString], _ flag: UInt8, isRequired: Bool = true
  ) {
    let field = record[column]
    if field.isEmpty {
      if isRequired { note(.missingField, column) }
    } else if words[1].matches(field) {
      head.flags |= flag
    } else if !words[0].matches(field) {
      note(.invalidValue, column)
    }
  }
}

// The columns of the payees file.
extension CSVRecord {
  subscript(column: PayeeFile.Column) -> Span<UInt8> { @_lifetime(borrow self) get { self[column.rawValue] } }

  /// Whether a field is empty; spaces of an IBAN or BIC do not count.
  fileprivate func isEmpty(_ column: PayeeFile.Column) -> Bool {
    column == .iban || column == .bic ? isBlank(column) : self[column].isEmpty
  }

  /// Whether a field has only spaces, or nothing.
  fileprivate func isBlank(_ column: PayeeFile.Column) -> Bool { self[column].allSatisfy { $0 == 0x20 } }
}
