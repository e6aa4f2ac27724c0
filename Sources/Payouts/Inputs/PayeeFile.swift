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
  }

  static let columns = Column.allCases.map { "\($0)" }.filter { !furtherColumns.contains($0) }
  static let furtherColumns = PostalAddress.parts.map(\.name)
  static let headerFault = InputFault.Code.payeesHeader

  let payees = Payees()
  private(set) var faults = InputFaults()
  // The current record.
  private var line = 0
  private var fields: [UnsafeBufferPointer<UInt8>] = []
  /// Nil if it is not valid.
  private(set) var currency: Currency?
  var head = Payees.Head()
  private var name = TextBuffer()
  var number = TextBuffer()
  var bank = TextBuffer()
  private var address = TextBuffer()
  private var retry = TextBuffer()
  private var account: [UInt8] = []

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func note(_ code: InputFault.Code, _ column: Column, _ detail: InputFault.Detail = .none) {
    note(InputFault(line: line, column: column.rawValue, code: code, detail: detail))
  }

  func field(_ column: Column) -> UnsafeBufferPointer<UInt8> { fields[column.rawValue] }

  /// Whether a field is empty; spaces of an IBAN or BIC do not count.
  private func isEmpty(_ column: Column) -> Bool {
    column == .iban || column == .bic ? isBlank(column) : field(column).isEmpty
  }

  /// Whether a field has only spaces, or nothing.
  private func isBlank(_ column: Column) -> Bool { field(column).allSatisfy { $0 == 0x20 } }

  /// Whether the payee is on hold and has no bank account.
  private var isWithoutAccount: Bool {
    head.flags & Payees.Head.isOnHold != 0 && field(.method).isEmpty
      && BankFormats.all.allSatisfy { $0.payeeColumns.allSatisfy(isEmpty) }
  }

  /// Checks what depends on all lines.
  func finish() {
    payees.sort { note(InputFault(line: $0, column: Column.account.rawValue, code: .duplicatePayee)) }
  }

  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int) {
    (self.line, self.fields, head) = (line, fields, Payees.Head(line: UInt32(line)))
    let before = faults.count
    let hasAccount = takeAccount(field(.account))
    currency = Currency.find(field(.currency).span)
    if currency == nil { note(field(.currency).isEmpty ? .missingField : .currencyNotSupported, .currency) }
    takeHold(field(.hold))
    number.removeAll()
    bank.removeAll()
    takeName(field(.name))
    if !isWithoutAccount { takeMethod(field(.method)) }
    takeAddress()
    guard hasAccount, let currency else { return }
    head.currency = currency.index
    account.withUnsafeBufferPointer { account in
      let account = UnsafeBufferPointer(rebasing: account[..<field(.account).count])
      let texts = [account, name.all, number.all, bank.all, address.all, retry.all]
      // A later line may still repeat a faulty one.
      _ = payees.append(head, faults.count == before ? texts : [account])
    }
  }

  private func takeAccount(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    if field.isEmpty {
      note(.missingField, .account)
      return false
    }
    account.removeAll(keepingCapacity: true)
    account += field
    let isValid = Account.canonicalize(&account)
    if !isValid { note(.invalidAccount, .account) }
    return isValid
  }

  private func takeName(_ field: UnsafeBufferPointer<UInt8>) {
    name.removeAll()
    if isBlank(.name) {
      if !isWithoutAccount { note(.missingField, .name) }
      return
    }
    if let fault = BankText.convert(field, into: &name) { return note(.nameCharacters, .name, .text(fault)) }
    if name.count > BankText.nameLimit { note(.nameTooLong, .name) }
  }

  /// Reads `yes`, `no`, nothing, or `retry` and a reference.
  private func takeHold(_ field: UnsafeBufferPointer<UInt8>) {
    retry.removeAll()
    let word = Array("retry ".utf8)
    if field.starts(with: word) {
      let reference = UnsafeBufferPointer(rebasing: field[word.count...])
      guard PaymentReference(reference) != nil else { return note(.invalidValue, .hold) }
      return retry.append(reference)
    }
    takeChoice(.hold, ["no", "yes"], Payees.Head.isOnHold, isRequired: false)
  }

  /// Reads the address, if the file has addresses and this payee has one.
  private func takeAddress() {
    address.removeAll()
    guard fields.count > Self.columns.count else { return }
    let columns = PostalAddress.parts.indices.map { Column(rawValue: Column.street.rawValue + $0)! }
    guard !columns.allSatisfy(isBlank) else { return }
    for (part, column) in zip(PostalAddress.parts, columns) {
      if column != .street { address.append(PostalAddress.separator) }
      if isBlank(column) {
        if part.isRequired { note(.missingField, column) }
      } else if column == .country {
        guard let code = PostalAddress.countryCode(field(column)) else { return note(.invalidCountry, column) }
        address.append(code, count: code.count)
      } else {
        var text = TextBuffer()
        if let fault = BankText.convert(field(column), into: &text) {
          note(.addressCharacters, column, .text(fault))
        } else if text.count > part.limit {
          note(.addressTooLong, column, .limit(part.limit))
        } else {
          address.append(text.all)
        }
      }
    }
  }

  /// Reads the method, and its columns; those of the others must be empty.
  private func takeMethod(_ field: UnsafeBufferPointer<UInt8>) {
    guard let format = BankFormats.all.first(where: { field.elementsEqual($0.method.name.utf8) }) else {
      return note(field.isEmpty ? .missingField : .invalidValue, .method)
    }
    head.method = UInt8(format.method.place)
    if let currency, !format.pays(currency) { note(.methodCurrency, .method, .method(format.method)) }
    format.read(self)
    for other in BankFormats.all where other.method != format.method {
      for column in other.payeeColumns where !isEmpty(column) { note(.fieldNotAllowed, column) }
    }
  }

  // MARK: Columns of methods

  /// Whether a required field is valid; notes what is wrong with it.
  func expect(
    _ column: Column, _ code: InputFault.Code, _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    let field = field(column)
    if !field.isEmpty, isValid(field) { return true }
    note(field.isEmpty ? .missingField : code, column)
    return false
  }

  /// Reads one of two words; the second sets a flag.
  func takeChoice(_ column: Column, _ words: [StaticString], _ flag: UInt8, isRequired: Bool = true) {
    let field = field(column)
    if field.isEmpty {
      if isRequired { note(.missingField, column) }
    } else if words[1].matches(field.span) {
      head.flags |= flag
    } else if !words[0].matches(field.span) {
      note(.invalidValue, column)
    }
  }
}

extension TextBuffer {
  /// Its bytes; valid until it changes.
  var all: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}
