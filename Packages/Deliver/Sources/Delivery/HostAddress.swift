import Glibc

/// Addresses of hosts, and which of them are not public (IANA's special-purpose address registries).
struct HostAddress: Hashable, Sendable {
  /// Its bytes in network order: 4 or 16.
  let bytes: [UInt8]

  var isIPv4: Bool { bytes.count == 4 }

  /// The address as written, in the form that a connection takes.
  var text: String {
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &room, socklen_t(room.count))
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// An address written as text; nil if the text is not an address.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// The address of a socket; nil if it is neither IPv4 nor IPv6.
  init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    // A scope, as in fe80::1%eth0, is not part of the address.
    let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  private init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Special IPv4 ranges: loopback, private, link-local, shared, documentation, benchmarks, multicast, reserved.
  private static let special4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
  ].compactMap(Self.range)

  /// Special ranges inside 2000::/3, the global range: protocol assignments including Teredo, documentation, AS112.
  private static let special6 = ["2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"].compactMap(Self.range)

  private static let global6 = range("2000::/3")
  /// Ranges of IPv6 that contain an IPv4 address: mapped, compatible, translated, 6to4.
  private static let embedding = ["::ffff:0:0/96", "::/96", "64:ff9b::/96", "2002::/16"].compactMap(Self.range)
    .map { ($0, $0.bits == 16 ? 2 : 12) }

  private typealias Range = (address: HostAddress, bits: Int)

  private static func range(_ text: String) -> Range? {
    let parts = text.split(separator: "/")
    guard parts.count == 2, let address = HostAddress(String(parts[0])), let bits = Int(parts[1]) else { return nil }
    return (address, bits)
  }

  private func isIn(_ range: Range) -> Bool {
    guard bytes.count == range.address.bytes.count else { return false }
    return (0..<range.bits).allSatisfy { bit in
      let differing: UInt8 = bytes[bit / 8] ^ range.address.bytes[bit / 8]
      return differing & (0x80 >> UInt8(bit % 8)) == 0
    }
  }

  /// Whether it is not a public address.
  var isSpecial: Bool {
    if isIPv4 { return Self.special4.contains(where: isIn) }
    for (range, at) in Self.embedding where isIn(range) { return HostAddress(bytes: bytes[at..<at + 4]).isSpecial }
    return !(Self.global6.map(isIn) ?? false) || Self.special6.contains(where: isIn)
  }
}
