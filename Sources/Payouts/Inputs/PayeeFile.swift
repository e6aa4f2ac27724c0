import Money
import Records
import Text

/// Reads the payees file (`payouts.md`, Payees).
final class PayeeFile: RecordFile {
  /// The columns, in their order.
  enum Column: Int, CaseIterable {
    case account, currency, name, method, iban, bic, routing, account_number, account_type, holder, hold
  }

  static let columns = Column.allCases.map { "\($0)" }
  static let headerFault = InputFault.Code.payeesHeader

  let payees = Payees()
  private(set) var faults = InputFaults()
  private var line = 0
  private var name = TextBuffer()
  private var number = TextBuffer()
  private var bank = TextBuffer()
  private var account: [UInt8] = []

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  private func note(_ code: InputFault.Code, _ column: Column, _ detail: InputFault.Detail = .none) {
    note(InputFault(line: line, column: column.rawValue, code: code, detail: detail))
  }

  /// Checks what depends on all lines.
  func finish() {
    payees.sort { note(InputFault(line: $0, column: Column.account.rawValue, code: .duplicatePayee)) }
  }

  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int) {
    self.line = line
    let before = faults.count
    func field(_ column: Column) -> UnsafeBufferPointer<UInt8> { fields[column.rawValue] }
    let hasAccount = takeAccount(field(.account))
    let currency = Currency.find(field(.currency).span)
    if currency == nil { note(field(.currency).isEmpty ? .missingField : .currencyNotSupported, .currency) }
    takeName(field(.name))
    var head = Payees.Head(line: UInt32(line))
    number.removeAll()
    bank.removeAll()
    switch method(field(.method)) {
    case .iban?: takeIBAN(field, currency, &head)
    case .ach?: takeACH(field, currency, &head)
    case nil: break
    }
    takeChoice(field(.hold), .hold, ["no", "yes"], Payees.Head.isOnHold, &head, isRequired: false)
    guard hasAccount, let currency else { return }
    head.currency = currency.index
    head.account = UInt8(field(.account).count)
    // A later line may still repeat a faulty one.
    let isSound = faults.count == before
    head.name = isSound ? UInt8(name.count) : 0
    head.number = isSound ? UInt8(number.count) : 0
    head.bank = isSound ? UInt8(bank.count) : 0
    _ = account.withUnsafeBufferPointer { account in
      payees.append(
        head, account: UnsafeBufferPointer(rebasing: account[..<Int(head.account)]), name: name.prefix(head.name),
        number: number.prefix(head.number), bank: bank.prefix(head.bank))
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
    if field.allSatisfy({ $0 == 0x20 }) { return note(.missingField, .name) }
    if let fault = BankText.convert(field, into: &name) { return note(.nameCharacters, .name, .text(fault)) }
    if name.count > BankText.nameLimit { note(.nameTooLong, .name) }
  }

  private func method(_ field: UnsafeBufferPointer<UInt8>) -> Method? {
    let method = Method.allCases.first { field.elementsEqual($0.name.utf8) }
    if method == nil { note(field.isEmpty ? .missingField : .invalidValue, .method) }
    return method
  }

  private enum Method: CaseIterable {
    case iban, ach
    var name: String { self == .iban ? "IBAN" : "ACH" }
  }

  private func takeIBAN(
    _ field: (Column) -> UnsafeBufferPointer<UInt8>, _ currency: Currency?, _ head: inout Payees.Head
  ) {
    BankAccount.normalize(field(.iban), into: &number)
    let fault = number.count == 0 ? .missingField : BankAccount.fault(iban: number.all)
    if let fault { note(fault, .iban) } else if BankAccount.isSEPA(number.all) { head.flags |= Payees.Head.isSEPA }
    BankAccount.normalize(field(.bic), into: &bank)
    if bank.count > 0 {
      if !BankAccount.isBIC(bank.all) { note(.invalidBIC, .bic) }
    } else if let currency {
      let isOptional = currency.code == "EUR" && (fault != nil || head.flags & Payees.Head.isSEPA != 0)
      if !isOptional { note(.missingField, .bic) }
    }
    for column in [Column.routing, .account_number, .account_type, .holder] where !field(column).isEmpty {
      note(.fieldNotAllowed, column)
    }
  }

  private func takeACH(
    _ field: (Column) -> UnsafeBufferPointer<UInt8>, _ currency: Currency?, _ head: inout Payees.Head
  ) {
    if let currency, currency.code != "USD" { note(.methodCurrency, .method) }
    head.flags |= Payees.Head.isACH
    for column in [Column.iban, .bic] where field(column).contains(where: { $0 != 0x20 }) {
      note(.fieldNotAllowed, column)
    }
    takeText(field(.routing), .routing, .invalidRouting, BankAccount.isRouting, into: &bank)
    takeText(
      field(.account_number), .account_number, .invalidAccountNumber, BankAccount.isAccountNumber, into: &number)
    takeChoice(field(.account_type), .account_type, ["CHECKING", "SAVINGS"], Payees.Head.isSavings, &head)
    takeChoice(field(.holder), .holder, ["PERSON", "COMPANY"], Payees.Head.isCompany, &head)
  }

  private func takeText(
    _ field: UnsafeBufferPointer<UInt8>, _ column: Column, _ code: InputFault.Code,
    _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool, into text: inout TextBuffer
  ) {
    guard let bytes = field.baseAddress, !field.isEmpty else { return note(.missingField, column) }
    if isValid(field) { text.append(bytes, count: field.count) } else { note(code, column) }
  }

  /// Reads one of two words; the second sets a flag.
  private func takeChoice(
    _ field: UnsafeBufferPointer<UInt8>, _ column: Column, _ words: [StaticString], _ flag: UInt8,
    _ head: inout Payees.Head, isRequired: Bool = true
  ) {
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

  fileprivate func prefix(_ length: UInt8) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes, count: Int(length))
  }
}
