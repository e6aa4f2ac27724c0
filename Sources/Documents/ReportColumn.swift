import Bytes

/// A column of a CSV report, or a key of `summary.json`.
///
/// A case's name is its key in JSON, `senderAmount`, and in snake case its name in CSV, `sender_amount`. The order of
/// the cases is the order in the file.
public protocol ReportColumn: NumberedCase, RawRepresentable, Sendable where RawValue == String {}

/// A column that says what its fields are.
public protocol DescribedColumn: ReportColumn {
  /// The contents of its fields.
  var meaning: ColumnMeaning { get }
}

extension ReportColumn {
  /// The key in JSON.
  public var key: String { rawValue }

  /// Its index in the file's order, from 0.
  @inlinable @inline(__always)
  public var place: Int { Int(caseNumber) }

  /// The name in the header row.
  public var name: String {
    var name: [UInt8] = []
    for letter in key.utf8 {
      if letter < UInt8(ascii: "a") { name.append(UInt8(ascii: "_")) }
      name.append(letter | 0x20)
    }
    return String(decoding: name, as: UTF8.self)
  }
}
