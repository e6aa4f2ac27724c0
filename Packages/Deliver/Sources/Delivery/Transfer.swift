import CCurl
import Glibc
import SystemPackage
import Version

/// A message that is to be sent by HTTP to one address.
struct Request: Sendable {
  let url: String
  /// The only address to which a connection may go.
  let address: HostAddress
  let body: [UInt8]
  /// When it is given up.
  let timeout: Duration
}

/// A request while libcurl sends it. Only one thread at a time uses it.
final class Transfer: @unchecked Sendable {
  /// The maximum number of bytes that are read of an answer, with its head.
  private static let mostBytes = 64 << 10
  private static let connectSeconds = 5

  let handle = curl_easy_init()!
  private let request: Request
  private var sent = 0
  private var received = 0
  private var lists: [UnsafeMutablePointer<curl_slist>?] = []
  /// Where libcurl writes what went wrong.
  private let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let finished: CheckedContinuation<Result<Int, NetworkFailure>, Never>

  /// Prepares a request; its result goes to `finished`.
  init(_ request: Request, finished: CheckedContinuation<Result<Int, NetworkFailure>, Never>) {
    self.request = request
    self.finished = finished
    problem.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, request.body.count)
    set(CURLOPT_USERAGENT, "settle/\(SettleVersion.number)")
    // Without the second, libcurl asks before it sends a long body, and waits for a second.
    set(CURLOPT_HTTPHEADER, ["Content-Type: application/x-www-form-urlencoded; charset=UTF-8", "Expect:"])
    // Any host and any port of the url: connect to the address, and to the same port.
    let address = request.address
    set(CURLOPT_CONNECT_TO, [address.isIPv4 ? "::\(address.text):" : "::[\(address.text)]:"])
    // None, whatever the environment says.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, Self.connectSeconds)
    set(CURLOPT_TIMEOUT_MS, max(1, Int(request.timeout / .milliseconds(1))))
    set(CURLOPT_ERRORBUFFER, problem)
    settle_curl_set_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { object, _, target in Transfer.of(object).open(target!) },
      { buffer, size, count, object in Transfer.of(object).read(.init(start: buffer, count: size * count)) },
      { _, size, count, object in Transfer.of(object).receive(size * count) })
  }

  deinit {
    curl_easy_cleanup(handle)
    for list in lists { curl_slist_free_all(list) }
    problem.deallocate()
  }

  private func set(_ option: CURLoption, _ value: Int) { expect(settle_curl_set_number(handle, option, value)) }

  private func set(_ option: CURLoption, _ value: String) { expect(settle_curl_set_text(handle, option, value)) }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
    expect(settle_curl_set_pointer(handle, option, value))
  }

  private func set(_ option: CURLoption, _ lines: [String]) {
    let list = lines.reduce(nil) { curl_slist_append($0, $1) }
    lists.append(list)
    set(option, UnsafeMutableRawPointer(list!))
  }

  private func expect(_ code: CURLcode) { precondition(code == CURLE_OK, "libcurl does not know an option") }

  private static func of(_ object: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(object!).takeUnretainedValue()
  }

  /// Opens a socket, only for the address that was checked.
  private func open(_ target: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let (family, length) = (target.pointee.family, target.pointee.addrlen)
    // An address of IPv6 reaches beyond the end of the field.
    let place = UnsafeRawPointer(target) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
    let address = HostAddress(place.assumingMemoryBound(to: sockaddr.self), length: length)
    guard address == request.address else { return CURL_SOCKET_BAD }
    return socket(family, target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), target.pointee.`protocol`)
  }

  /// Gives the next part of the body. libcurl cannot go back to its start, so it sends each request once.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = request.body[sent...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    sent += part.count
    return part.count
  }

  /// Takes a part of the answer; returns something else than its length to end the transfer.
  private func receive(_ count: Int) -> Int {
    received += count
    return received <= Self.mostBytes ? count : -1
  }

  /// Reports the result. The status counts, even if the rest of the answer cannot be read.
  func finish(_ code: CURLcode) {
    let status = settle_curl_number(handle, CURLINFO_RESPONSE_CODE)
    finished.resume(returning: status >= 200 ? .success(status) : .failure(NetworkFailure(reason: reason(code))))
  }

  /// Why there was no answer, in a few words.
  private func reason(_ code: CURLcode) -> String {
    let text = String(cString: problem)
    let said = (text.isEmpty ? String(cString: curl_easy_strerror(code)) : text).prefix(200)
    let detail = String(said.map { $0.isASCII && !$0.isNewline ? $0 : " " })
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      let isConnected = settle_curl_microseconds(handle, CURLINFO_PRETRANSFER_TIME_T) > 0
      return isConnected ? "no answer in time" : "no connection in time"
    case CURLE_COULDNT_CONNECT:
      let error = CInt(settle_curl_number(handle, CURLINFO_OS_ERRNO))
      return "no connection: " + (error == 0 ? detail : "\(Errno(rawValue: error))")
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND:
      return "the connection was closed"
    case CURLE_PEER_FAILED_VERIFICATION: return "its certificate is not accepted: \(detail)"
    case CURLE_SSL_CACERT_BADFILE:
      return "certificates cannot be verified; install the package ca-certificates: \(detail)"
    default: return detail
    }
  }
}
