import ExactArithmetic
import Foundation

/// One case of a file of the General Decimal Arithmetic test suite: `addx001 add 1 1 -> 2 Rounded`.
struct DecTestCase {
  var id: String
  var operation: String
  var operands: [String]
  var result: String
  var conditions: Set<String>
  /// The directives in effect, by their names in lower case.
  var directives: [String: String]

  var rounding: RoundingMode? {
    directives["rounding"].flatMap { name in
      ["half_up", "half_down", "half_even", "up", "down", "ceiling", "floor"].contains(name)
        ? RoundingMode(rawValue: name.uppercased()) : nil
    }
  }

  var precision: Int { directives["precision"].flatMap { Int($0) } ?? 0 }
}

/// The suite that Python installations contain.
enum DecTestSuite {
  /// The directory of `DECTEST_DIR`, or the first one found in the usual places.
  static let directory: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["DECTEST_DIR"] { return given }
    let roots = ["/usr/lib", "/usr/local/lib"]
    let pyenv = (environment["HOME"] ?? "/root") + "/.pyenv/versions"
    let versions = subdirectories(of: pyenv).map { "\(pyenv)/\($0)/lib" }
    return (roots + versions).lazy
      .flatMap { root in subdirectories(of: root).filter { $0.hasPrefix("python3") }.map { "\(root)/\($0)" } }
      .map { $0 + "/test/decimaltestdata" }
      .first { FileManager.default.fileExists(atPath: $0 + "/add.decTest") }
  }()

  private static func subdirectories(of path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The cases of a file, for example `add`.
  static func cases(of name: String) throws -> [DecTestCase] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory ?? "")/\(name).decTest"))
    var directives: [String: String] = [:]
    var cases: [DecTestCase] = []
    // Some comments are in Latin-1.
    for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = tokens(line)
      if words.count == 2, words[0].hasSuffix(":") {
        directives[words[0].dropLast().lowercased()] = words[1].lowercased()
      } else if let arrow = words.firstIndex(of: "->"), arrow >= 2, arrow + 1 < words.count {
        cases.append(
          DecTestCase(
            id: words[0], operation: words[1].lowercased(), operands: Array(words[2..<arrow]),
            result: words[arrow + 1], conditions: Set(words[(arrow + 2)...].map { $0.lowercased() }),
            directives: directives))
      }
    }
    return cases
  }

  /// The words of a line up to a comment, without quotes.
  private static func tokens(_ line: Substring) -> [String] {
    var words: [String] = []
    for word in line.split(separator: " ") {
      if word.hasPrefix("--") { break }
      words.append(String(word.filter { $0 != "'" && $0 != "\"" && $0 != "\t" }))
    }
    return words
  }
}

extension ExactDecimal {
  /// A number in the suite's notation, which is more liberal than a literal: `+1`, `.5`, `5.`, `007`. `nil` if it is
  /// not a finite number.
  init?(decTest text: String) {
    let isNegative = text.hasPrefix("-")
    let unsigned = text.drop { $0 == "-" || $0 == "+" }
    let mark = unsigned.firstIndex { $0 == "e" || $0 == "E" } ?? unsigned.endIndex
    let parts = unsigned[..<mark].split(separator: ".", omittingEmptySubsequences: false)
    let integer = parts.first.map { $0.drop { $0 == "0" } } ?? ""
    let fraction = parts.count == 2 && !parts[1].isEmpty ? "." + parts[1] : ""
    let literal = (isNegative ? "-" : "") + (integer.isEmpty ? "0" : integer) + fraction + unsigned[mark...]
    guard unsigned[..<mark].contains(where: \.isNumber), parts.count <= 2 else { return nil }
    let bytes = Array(literal.utf8)
    let scanned = DecimalLiteral.scan(bytes.span, digitLimit: 10_000, exponentLimit: 1_999_999_999)
    guard scanned.form != .malformed else { return nil }
    self = scanned.decimal(text: bytes.span)
  }
}
