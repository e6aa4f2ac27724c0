import Dispatch
import Glibc

/// Looks up the addresses of hosts.
struct HostLookup: Sendable {
  /// Why a host has no addresses.
  struct Failure: Error {
    let reason: String
  }

  /// The addresses of a host, in the order in which to try them. Called on any thread; it may block.
  let addresses: @Sendable (_ host: String) -> Result<[HostAddress], Failure>

  /// The system's name lookup.
  static let system = HostLookup { host in
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { return .failure(Failure(reason: String(cString: gai_strerror(code)))) }
    defer { freeaddrinfo(list) }
    var found: [HostAddress] = []
    var entry = list
    while let info = entry?.pointee {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      if getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        // A scope, as in fe80::1%eth0, is not part of the address.
        let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
        if let address = HostAddress(String(decoding: bytes, as: UTF8.self)), !found.contains(address) {
          found.append(address)
        }
      }
      entry = info.ai_next
    }
    return .success(found)
  }

  /// Looks up a host without blocking the caller's thread; fails after `seconds` seconds.
  func find(_ host: String, seconds: Int) async -> Result<[HostAddress], Failure> {
    let (answers, answer) = AsyncStream<Result<[HostAddress], Failure>>.makeStream()
    DispatchQueue.global().async { [addresses] in answer.yield(addresses(host)) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { answer.finish() }
    return await answers.first { _ in true } ?? .failure(Failure(reason: "no answer in time"))
  }
}
