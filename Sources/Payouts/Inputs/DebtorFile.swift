import Digests
import Failures
import FileSystem
import JSON
import Money
import SystemPackage
import Text

/// What is wrong with a debtor file, and where.
struct DebtorFault: Error {
  var pointer: String
  var message: String
}

/// Reads the debtor file; only the first fault is reported.
package struct DebtorFile {
  package private(set) var debtor = Debtor()
  package private(set) var fault: ReportedFault?
  private let shown: String

  /// The most bytes of a file.
  private static let limit = 1 << 24

  package static func read(_ path: String) -> ReadFile<DebtorFile> {
    let shown = OutputPlace.shown(path)
    do throws(Errno) {
      let bytes = try OpenFile(reading: path, waits: true).bytes(atMost: limit)
      let stored = (bytes.count, SHA256.digest(of: bytes).hexadecimal)
      return ReadFile(shown: shown, content: DebtorFile(bytes, shown: shown), stored: stored)
    } catch {
      let failure = Failure.unreadable("\(shown): cannot be read: \(error)")
      return ReadFile(shown: shown, content: DebtorFile([], shown: shown), failure: failure)
    }
  }

  init(_ text: [UInt8], shown: String) {
    self.shown = shown
    do throws(DebtorFault) {
      guard text.count <= Self.limit else { throw DebtorFault(pointer: "", message: "the file is larger than 16 MiB") }
      guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else {
        throw DebtorFault(pointer: "", message: "begins with a byte order mark; save it as UTF-8 without one")
      }
      let tree: JSONTree
      do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
        throw DebtorFault(pointer: "", message: "is not JSON: expected \(error.expected) at byte \(error.offset)")
      }
      try Self.forEachField(tree, "") { code, methods, pointer throws(DebtorFault) in
        guard let currency = Currency(code: code) else {
          throw DebtorFault(pointer: pointer, message: "expected the code of a supported currency")
        }
        try Self.forEachField(methods, pointer) { method, terms, pointer throws(DebtorFault) in
          guard let format = BankFormats.all.first(where: { $0.method.name == method }), format.pays(currency) else {
            throw DebtorFault(pointer: pointer, message: "expected \(BankFormats.shown)")
          }
          debtor.terms[BankFileKind(currency: currency, method: format.method)] = try format.terms(
            terms, currency, pointer)
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
    _ tree: JSONTree, _ pointer: String, _ take: (String, JSONTree, _ pointer: String) throws(DebtorFault) -> Void
  ) throws(DebtorFault) {
    guard case .object(let fields) = tree else {
      throw DebtorFault(pointer: pointer, message: "expected an object, found \(tree.kindName)")
    }
    var names = Set<[UInt8]>()
    for (name, value) in fields {
      let text = String(decoding: name, as: UTF8.self)
      let pointer = "\(pointer)/" + masked(text).replacing("~", with: "~0").replacing("/", with: "~1")
      guard names.insert(name).inserted else { throw DebtorFault(pointer: pointer, message: "the key is given twice") }
      try take(text, value, pointer)
    }
  }

  /// A key, masked if it looks like a bank account: an IBAN, or a number of eight digits or more.
  private static func masked(_ key: String) -> String {
    let isSecret = key.utf8.count { $0 &- 0x30 < 10 } >= 8
    return isSecret ? String(repeating: "*", count: key.count - 4) + key.suffix(4) : key
  }

  /// Reads the keys of terms in order.
  ///
  /// - Parameter take: returns false if there is no such key; what it throws does not have the pointer yet.
  static func read(
    _ tree: JSONTree, _ pointer: String, required: [String], _ take: (String, JSONTree) throws(DebtorFault) -> Bool
  ) throws(DebtorFault) {
    var missing = required
    try forEachField(tree, pointer) { name, value, pointer throws(DebtorFault) in
      missing.removeAll { $0 == name }
      do throws(DebtorFault) {
        guard try take(name, value) else { throw DebtorFault(pointer: "", message: "there is no such key") }
      } catch {
        throw DebtorFault(pointer: pointer, message: error.message)
      }
    }
    if let name = missing.first { throw DebtorFault(pointer: "\(pointer)/\(name)", message: "the key is missing") }
  }

  // MARK: Values, which messages never quote

  static func string(
    _ tree: JSONTree, _ expected: String, _ isValid: (Span<UInt8>) -> Bool
  ) throws(DebtorFault) -> String {
    guard case .string(let bytes) = tree, isValid(bytes.span) else {
      throw DebtorFault(pointer: "", message: "expected \(expected)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An IBAN or BIC, without spaces and in capital letters.
  static func account(
    _ tree: JSONTree, _ expected: String, _ isValid: (Span<UInt8>) -> Bool
  ) throws(DebtorFault) -> String {
    guard case .string(let bytes) = tree else { throw DebtorFault(pointer: "", message: "expected \(expected)") }
    var text = TextBuffer()
    BankAccount.normalize(bytes.span, into: &text)
    guard isValid(text.span) else {
      throw DebtorFault(pointer: "", message: "expected \(expected) with all that belongs to it")
    }
    return text.string
  }

  /// A text in the banks' characters.
  static func text(_ tree: JSONTree, _ limit: Int) throws(DebtorFault) -> String {
    let expected = "expected at most \(limit) characters that banks take, with a letter or digit"
    guard case .string(let bytes) = tree else { throw DebtorFault(pointer: "", message: expected) }
    var text = TextBuffer()
    if let fault = BankText.convert(bytes.span, into: &text) {
      throw DebtorFault(pointer: "", message: fault.message)
    }
    guard text.count <= limit else { throw DebtorFault(pointer: "", message: "\(expected); found \(text.count)") }
    return text.string
  }

  static func maximum(_ tree: JSONTree) throws(DebtorFault) -> Int {
    guard let count = tree.count, 1...999_999 ~= count, case .number(let text) = tree,
      text.allSatisfy({ $0 &- 0x30 < 10 })
    else { throw DebtorFault(pointer: "", message: "expected a whole number from 1 to 999999") }
    return count
  }
}
