import FoundationEssentials
import SQLite

/// An id is stored in the database as its 16 bytes.
extension UUID: DatabaseValue {
  package var stored: StoredValue { .blob(withUnsafeBytes(of: uuid, Array.init)) }

  package init?(_ stored: StoredValue) {
    guard case .blob(let bytes) = stored, bytes.count == 16 else { return nil }
    self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}
