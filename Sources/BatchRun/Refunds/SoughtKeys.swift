import CSystemCalls
import Claims
import Glibc

/// The pay keys whose payments are sought in a batch that is read a second time.
struct SoughtKeys: Sendable {
  /// Their fingerprints.
  let keys: Set<Fingerprint>
  /// What made the fingerprints.
  let hash: KeyedHash

  /// A key's fingerprint, if it is sought.
  func fingerprint(of key: UnsafePointer<UInt8>, count: Int) -> Fingerprint? {
    let fingerprint = hash.fingerprint(key, count: count).ofPayKey
    return keys.contains(fingerprint) ? fingerprint : nil
  }

  private static let name = Array(#""payKey""#.utf8)

  /// Whether a line may have a pay key that is sought: false for most that have none, without reading them as JSON.
  func mayStand(in line: UnsafePointer<UInt8>, count: Int) -> Bool {
    // Names and keys that are escaped look like anything.
    if memchr(line, Int32(UInt8(ascii: "\\")), count) != nil { return true }
    let end = line + count
    var at = line
    while let found = settle_find(Self.name, Self.name.count, at, end - at) {
      at = found.assumingMemoryBound(to: UInt8.self) + Self.name.count
      while at < end, at.pointee <= 0x20 || at.pointee == UInt8(ascii: ":") { at += 1 }
      guard at < end, at.pointee == UInt8(ascii: "\"") else { continue }
      let key = at + 1
      guard let close = memchr(key, Int32(UInt8(ascii: "\"")), end - key) else { return false }
      at = UnsafePointer(close.assumingMemoryBound(to: UInt8.self))
      if fingerprint(of: key, count: at - key) != nil { return true }
    }
    return false
  }
}
