import Dispatch
import Glibc

/// Looks up the addresses of hosts.
struct HostLookup: Sendable {
  /// The addresses of a host, in the order in which to try them. Called on any thread; it may block.
  let addresses: @Sendable (_ host: String) -> Result<[HostAddress], NetworkFailure>

  /// The system's name lookup.
  static let system = HostLookup { host in
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { return .failure(NetworkFailure(reason: String(cString: gai_strerror(code)))) }
    defer { freeaddrinfo(list) }
    var found: [HostAddress] = []
    var entry = list
    while let info = entry?.pointee {
      if let address = HostAddress(info.ai_addr, length: info.ai_addrlen), !found.contains(address) {
        found.append(address)
      }
      entry = info.ai_next
    }
    return .success(found)
  }

  /// Looks up a host without blocking the caller's thread; fails after `seconds` seconds.
  func find(_ host: String, seconds: Int) async -> Result<[HostAddress], NetworkFailure> {
    let (answers, answer) = AsyncStream<Result<[HostAddress], NetworkFailure>>.makeStream()
    DispatchQueue.global().async { [addresses] in answer.yield(addresses(host)) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { answer.finish() }
    return await answers.first { _ in true } ?? .failure(NetworkFailure(reason: "no answer in time"))
  }
}
