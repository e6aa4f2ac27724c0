import BatchRun
import Digests
import FileSystem
import JSON
import Money
import SystemPackage
import Text

/// Reads the debtor file; only the first fault is reported.
package struct DebtorFile {
  package private(set) var debtor = Debtor()
  package private(set) var fault: ReportedFault?
  private let shown: String

  /// The most bytes of a file.
  private static let limit = 1 << 24

  private struct Fault: Error {
    var pointer: String
    var message: String
  }

  package static func read(_ path: String) -> ReadFile<DebtorFile> {
    let shown = OutputPlace.shown(path)
    do throws(Errno) {
      let bytes = try OpenFile(reading: path, waits: true).bytes(atMost: limit)
      let stored = (bytes.count, SHA256.digest(of: bytes).hexadecimal)
      return ReadFile(shown: shown, content: DebtorFile(bytes, shown: shown), stored: stored)
    } catch {
      let failure = RunFailure.unreadable("\(shown): cannot be read: \(error)")
      return ReadFile(shown: shown, content: DebtorFile([], shown: shown), failure: failure)
    }
  }

  init(_ text: [UInt8], shown: String) {
    self.shown = shown
    do throws(Fault) {
      guard text.count <= Self.limit else { throw Fault(pointer: "", message: "the file is larger than 16 MiB") }
      guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else {
        throw Fault(pointer: "", message: "begins with a byte order mark; save it as UTF-8 without one")
      }
      let tree: JSONTree
      do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
        throw Fault(pointer: "", message: "is not JSON: expected \(error.expected) at byte \(error.offset)")
      }
      try Self.forEachField(tree, "") { code, methods, pointer throws(Fault) in
        guard let currency = Currency(code: code) else {
          throw Fault(pointer: pointer, message: "expected the code of a supported currency")
        }
        try Self.forEachField(methods, pointer) { method, terms, pointer throws(Fault) in
          switch method {
          case "IBAN": debtor.transfers[currency] = try Self.transfers(terms, currency, pointer)
          case "ACH" where currency.code == "USD": debtor.entries[currency] = try Self.entries(terms, pointer)
          default: throw Fault(pointer: pointer, message: "expected IBAN, or in USD ACH")
          }
        }
      }
    } catch {
      fault = ReportedFault(
        file: shown, line: nil, code: "INVALID_DEBTOR",
        field: error.pointer.isEmpty ? nil : MessageText.escapedName(Array(error.pointer.utf8)), message: error.message)
    }
  }

  // MARK: Objects

  /// Passes on the fields of an object in order, with their pointers; throws if a key is repeated.
  private static func forEachField(
    _ tree: JSONTree, _ pointer: String, _ take: (String, JSONTree, _ pointer: String) throws(Fault) -> Void
  ) throws(Fault) {
    guard case .object(let fields) = tree else {
      throw Fault(pointer: pointer, message: "expected an object, found \(tree.kindName)")
    }
    var names = Set<[UInt8]>()
    for (name, value) in fields {
      let text = String(decoding: name, as: UTF8.self)
      let pointer = "\(pointer)/" + masked(text).replacing("~", with: "~0").replacing("/", with: "~1")
      guard names.insert(name).inserted else { throw Fault(pointer: pointer, message: "the key is given twice") }
      try take(text, value, pointer)
    }
  }

  /// A key, masked if it looks like a bank account: an IBAN, or a number of eight digits or more.
  private static func masked(_ key: String) -> String {
    let isSecret = key.utf8.count { $0 &- 0x30 < 10 } >= 8
    return isSecret ? String(repeating: "*", count: key.count - 4) + key.suffix(4) : key
  }

  private static func transfers(
    _ tree: JSONTree, _ currency: Currency, _ pointer: String
  ) throws(Fault) -> Debtor.Transfers {
    var terms = Debtor.Transfers()
    let needsBIC = currency.code != "EUR"
    try read(tree, pointer, required: ["name", "iban"] + (needsBIC ? ["bic"] : [])) { name, value throws(Fault) in
      switch name {
      case "name": terms.name = try text(value, BankText.nameLimit)
      case "iban": terms.iban = try account(value, "an IBAN") { BankAccount.fault(iban: $0) == nil }
      case "bic": terms.bic = try account(value, "a BIC", BankAccount.isBIC)
      case "text": terms.text = try text(value, 100)
      case "maximum": terms.maximum = try maximum(value)
      default: return false
      }
      return true
    }
    terms.isSEPA = Array(terms.iban.utf8).withUnsafeBufferPointer(BankAccount.isSEPA)
    return terms
  }

  private static func entries(_ tree: JSONTree, _ pointer: String) throws(Fault) -> Debtor.Entries {
    var terms = Debtor.Entries()
    let required = ["name", "company", "odfi", "destination", "destinationName", "origin"]
    try read(tree, pointer, required: required) { name, value throws(Fault) in
      switch name {
      case "name": terms.name = try text(value, 16)
      case "company":
        terms.company = try string(value, "10 capital letters and digits") { text in
          text.count == 10 && text.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x41 < 26 }
        }
      case "odfi": terms.odfi = try string(value, "a routing number", BankAccount.isRouting)
      case "destination": terms.destination = try string(value, "a routing number", BankAccount.isRouting)
      case "destinationName": terms.destinationName = try text(value, 23)
      case "origin":
        terms.origin = try string(value, "9 or 10 digits, not all zero") { text in
          9...10 ~= text.count && text.allSatisfy { $0 &- 0x30 < 10 } && text.contains { $0 != 0x30 }
        }
      case "originName": terms.originName = try text(value, 23)
      case "description": terms.description = try text(value, 10)
      case "maximum": terms.maximum = try maximum(value)
      default: return false
      }
      return true
    }
    return terms
  }

  /// Reads the keys of terms in order.
  ///
  /// - Parameter take: returns false if there is no such key; what it throws does not have the pointer yet.
  private static func read(
    _ tree: JSONTree, _ pointer: String, required: [String], _ take: (String, JSONTree) throws(Fault) -> Bool
  ) throws(Fault) {
    var missing = required
    try forEachField(tree, pointer) { name, value, pointer throws(Fault) in
      missing.removeAll { $0 == name }
      do throws(Fault) {
        guard try take(name, value) else { throw Fault(pointer: "", message: "there is no such key") }
      } catch {
        throw Fault(pointer: pointer, message: error.message)
      }
    }
    if let name = missing.first { throw Fault(pointer: "\(pointer)/\(name)", message: "the key is missing") }
  }

  // MARK: Values, which messages never quote

  private static func string(
    _ tree: JSONTree, _ expected: String, _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(Fault) -> String {
    guard case .string(let bytes) = tree, bytes.withUnsafeBufferPointer(isValid) else {
      throw Fault(pointer: "", message: "expected \(expected)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An IBAN or BIC, without spaces and in capital letters.
  private static func account(
    _ tree: JSONTree, _ expected: String, _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(Fault) -> String {
    guard case .string(let bytes) = tree else { throw Fault(pointer: "", message: "expected \(expected)") }
    var text = TextBuffer()
    bytes.withUnsafeBufferPointer { BankAccount.normalize($0, into: &text) }
    guard isValid(text.all) else {
      throw Fault(pointer: "", message: "expected \(expected) with all that belongs to it")
    }
    return text.string
  }

  /// A text in the banks' characters.
  private static func text(_ tree: JSONTree, _ limit: Int) throws(Fault) -> String {
    let expected = "expected at most \(limit) characters that banks take, with a letter or digit"
    guard case .string(let bytes) = tree else { throw Fault(pointer: "", message: expected) }
    var text = TextBuffer()
    if let fault = bytes.withUnsafeBufferPointer({ BankText.convert($0, into: &text) }) {
      throw Fault(pointer: "", message: fault.message)
    }
    guard text.count <= limit else { throw Fault(pointer: "", message: "\(expected); found \(text.count)") }
    return text.string
  }

  private static func maximum(_ tree: JSONTree) throws(Fault) -> Int {
    guard let count = tree.count, 1...999_999 ~= count, case .number(let text) = tree,
      text.allSatisfy({ $0 &- 0x30 < 10 })
    else { throw Fault(pointer: "", message: "expected a whole number from 1 to 999999") }
    return count
  }
}
