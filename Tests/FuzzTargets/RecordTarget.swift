import Input
import JSON

/// Scans a line, and compares what the scanner keeps with the tree of the same text.
enum RecordTarget {
  /// What follows a line: a line feed, alone or after a carriage return, and the bytes that must be readable after it.
  private static let endings: [[UInt8]] = [[0x0A], [0x0D, 0x0A]].map { $0 + Array(repeating: 0xFF, count: 15) }

  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let line = bytes.filter { $0 != 0x0A }
    let tree = try? JSONTree(parsing: line)
    let memory = GuardedBytes(count: line.count + 64)
    var scanner = RecordScanner()
    // A scanner that has read another line before must forget it.
    let earlier = Array(#"{"payKey":"x","y":1,"invoiceData":{"invoiceItems":[1,{}]},"payKey":2}"#.utf8)
    _ = scanner.scan(memory.line(earlier, endings[0]), .inPlace)
    for ending in endings {
      let form = scanner.scan(memory.line(line, ending), .inPlace)
      try check(form, tree, line)
      guard form == .object, case .object(let fields) = tree else { continue }
      try ScannedRecord(expecting: fields).compare(with: ScannedRecord(scanner))
    }
    try checkWidth(line, in: memory, scanner)
  }

  private static func check(_ form: RecordForm, _ tree: JSONTree?, _ line: [UInt8]) throws(Disagreement) {
    let isUTF8 = String(validating: line, as: UTF8.self) != nil
    try require((form == .invalidUTF8) == !isUTF8, "\(form), where UTF-8 is \(isUTF8)")
    try require((form == .malformed) == (isUTF8 && tree == nil), "\(form), where the tree is \(tree as Any)")
    if isUTF8 {
      try require(
        (JSONReader.fault(in: line) == nil) == (tree != nil), "a fault is found, where the tree is \(tree as Any)")
    }
    if let tree {
      try require((form == .object) == (tree.kindName == "an object"), "\(form), where the tree is \(tree)")
    }
  }

  /// A scanner with a width limit either refuses the line or finds the same.
  private static func checkWidth(
    _ line: [UInt8], in memory: GuardedBytes, _ wide: borrowing RecordScanner
  ) throws(Disagreement) {
    for limit in [0, 1, 20] {
      var scanner = RecordScanner(widthLimit: limit)
      let form = scanner.scan(memory.line(line, endings[1]), .inPlace)
      if form == .tooWide {
        // There is always room for 16 rows and 64 items; a line that is not yet known to be JSON may also be refused.
        continue
      }
      var again = RecordScanner()
      try require(form == again.scan(scanner.line), "another form under a limit of \(limit)")
      guard form == .object else { continue }
      try require(
        scanner.strays.count <= limit && scanner.unknownFields.count <= 8 * limit, "more than \(limit) parts are kept")
      try ScannedRecord(scanner).compare(with: ScannedRecord(again))
    }
  }
}
