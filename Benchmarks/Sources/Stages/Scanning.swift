import Input
import Records

/// Runs the record scanner over lines in memory: it checks JSON and finds the fields, but does not use them.
final class Scanning: PreparedStage {
  private let sample: SampleLines
  private var scanner = RecordScanner()
  private var objects = 0

  init(payments: Int) throws { sample = try SampleLines(payments: payments) }

  var payments: Int { sample.lines.count }
  var bytes: Int { sample.bytes }

  func run() throws {
    objects = 0
    for line in sample.lines where scanner.scan(line.span, .inPlace) == .object { objects += 1 }
  }

  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    hash.add(objects)
    for line in sample.lines {
      hash.add(UInt64(scanner.scan(line.span, .inPlace).rawValue))
      for field in RecordField.allCases where field.singleShapeField == nil { hash.add(scanner.field(field)) }
      for row in 0..<scanner.rowCount {
        for field in ReceiverField.allCases { hash.add(scanner.receiverField(field, row: row)) }
        for field in InvoiceField.allCases { hash.add(scanner.invoiceField(field, row: row)) }
      }
      for item in 0..<scanner.itemCount {
        for field in ItemField.allCases { hash.add(scanner.itemField(field, item: item)) }
      }
    }
    return hash.value
  }
}

extension ResultHash {
  /// Adds a value's place and kind.
  fileprivate mutating func add(_ slice: JSONSlice) {
    add(UInt64(slice.start) << 32 | UInt64(slice.length) << 4 | UInt64(slice.kind.rawValue))
  }
}
