import FoundationEssentials
import SQLite

/// An id is stored in the database as its 16 bytes.
extension UUID: DatabaseValue {
  package var stored: StoredValue { .blob(bytes) }

  package init?(_ stored: StoredValue) {
    guard case .blob(let bytes) = stored, bytes.count == 16 else { return nil }
    self.init(bytes.span, at: 0)
  }
}

extension UUID {
  /// Its 16 bytes.
  var bytes: [UInt8] {
    let id = uuid
    return [
      id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7, id.8, id.9, id.10, id.11, id.12, id.13, id.14, id.15,
    ]
  }

  /// The id whose 16 bytes begin at a place of a text.
  init(_ text: Span<UInt8>, at place: Int) {
    func byte(_ number: Int) -> UInt8 { text[place + number] }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10), byte(11),
        byte(12), byte(13), byte(14), byte(15)
      ))
  }
}
