import Digests
import Failures
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
    read(text)
  }

  private mutating func read(_ text: [UInt8]) {
    guard text.count <= Self.limit else { return report("the file is larger than 16 MiB") }
    guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else {
      return report("begins with a byte order mark; save it as UTF-8 without one")
    }
    let tree: JSONTree
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      return report("is not JSON: expected \(error.expected) at byte \(error.offset)")
    }
    do throws(JSONFault) { try read(JSONNode(tree)) } catch {
      report(error.words, at: error.node.path.pointer(Self.masked))
    }
  }

  private mutating func report(_ message: String, at pointer: String = "") {
    fault = ReportedFault(
      file: shown, line: nil, code: "INVALID_DEBTOR",
      field: pointer.isEmpty ? nil : MessageText.escapedName(Array(pointer.utf8)), message: message)
  }

  private mutating func read(_ root: JSONNode) throws(JSONFault) {
    try root.forEachField { code, methods throws(JSONFault) in
      guard let currency = Currency(code: code) else {
        throw methods.fault("expected the code of a supported currency")
      }
      try methods.forEachField { method, terms throws(JSONFault) in
        guard let format = BankFormats.all.first(where: { $0.method.name == method }), format.pays(currency) else {
          throw terms.fault("expected \(BankFormats.shown)")
        }
        debtor.terms[BankFileKind(currency: currency, method: format.method)] = try format.terms(terms, currency)
      }
    }
  }

  /// A key, masked if it looks like a bank account: an IBAN, or a number of eight digits or more.
  private static func masked(_ key: String) -> String {
    let isSecret = key.utf8.count { $0 &- 0x30 < 10 } >= 8
    return isSecret ? String(repeating: "*", count: key.count - 4) + key.suffix(4) : key
  }
}

extension JSONFault {
  /// The fault in words, which never quote a value.
  fileprivate var words: String {
    switch problem {
    case .repeated: "the key is given twice"
    case .unknown: "there is no such key"
    case .missing: "the key is missing"
    case .mismatch(let expected): "expected \(expected), found \(node.tree.kindName)"
    case .other(let words): words
    }
  }
}

// The values of terms.
extension JSONNode {
  /// Reads the keys of terms in order.
  ///
  /// - Parameter take: returns false if there is no such key.
  func readTerms(
    required: [String], _ take: (String, JSONNode) throws(JSONFault) -> Bool
  ) throws(JSONFault) {
    var missing = required
    try forEachField { name, node throws(JSONFault) in
      missing.removeAll { $0 == name }
      guard try take(name, node) else { throw node.unknown() }
    }
    if let name = missing.first { throw self[name].mismatch("a value") }
  }

  func text(_ expected: String, _ isValid: (Span<UInt8>) -> Bool) throws(JSONFault) -> String {
    guard case .string(let bytes) = tree, isValid(bytes.span) else { throw fault("expected \(expected)") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An IBAN or BIC, without spaces and in capital letters.
  func account(_ expected: String, _ isValid: (Span<UInt8>) -> Bool) throws(JSONFault) -> String {
    guard case .string(let bytes) = tree else { throw fault("expected \(expected)") }
    var text = TextBuffer()
    BankAccount.normalize(bytes.span, into: &text)
    guard isValid(text.span) else { throw fault("expected \(expected) with all that belongs to it") }
    return text.string
  }

  /// A text in the banks' characters.
  func bankText(_ limit: Int) throws(JSONFault) -> String {
    let expected = "expected at most \(limit) characters that banks take, with a letter or digit"
    guard case .string(let bytes) = tree else { throw fault(expected) }
    var text = TextBuffer()
    if let found = BankText.convert(bytes.span, into: &text) { throw fault(found.message) }
    guard text.count <= limit else { throw fault("\(expected); found \(text.count)") }
    return text.string
  }

  /// The most payments of a file.
  func maximum() throws(JSONFault) -> Int {
    guard let count = tree.count, 1...999_999 ~= count, case .number(let text) = tree,
      text.allSatisfy({ $0 &- 0x30 < 10 })
    else { throw fault("expected a whole number from 1 to 999999") }
    return count
  }
}
