import AsyncHTTPClient
import NIOCore
import Version

/// Sends one message by HTTP: looks up the host, checks its address, and connects to exactly that address.
actor MessageSender {
  /// The result of an attempt.
  enum Attempt: Sendable {
    case answered
    /// A later attempt may be answered.
    case again(String)
    /// It is not tried again in this run.
    case refused(String)
  }

  /// The maximum number of bytes that are read of an answer.
  private static let mostBytes = 64 << 10
  private static let connectSeconds: Int64 = 5

  private struct Peer: Hashable {
    let host: String
    let address: HostAddress
  }

  private let options: DeliveryOptions
  /// One client for each address of a host; it cannot connect to any other address.
  private var clients: [Peer: HTTPClient] = [:]

  init(_ options: DeliveryOptions) { self.options = options }

  private func client(_ peer: Peer) -> HTTPClient {
    if let client = clients[peer] { return client }
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout = .init(connect: .seconds(Self.connectSeconds))
    configuration.dnsOverride = [peer.host: peer.address.text]
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    clients[peer] = client
    return client
  }

  /// Closes all connections.
  func shutdown() async {
    for client in clients.values { try? await client.shutdown() }
    clients = [:]
  }

  /// Tries as often as the options say. Returns nil if the message was answered, otherwise why not.
  nonisolated func send(_ message: OutboxMessage, to target: MessageTarget) async -> String? {
    var pause = options.firstPause
    for number in 1...options.attempts {
      switch await attempt(message, target, number) {
      case .answered: return nil
      case .refused(let reason): return reason
      case .again(let reason):
        if number == options.attempts { return reason + (number > 1 ? ", the last of \(number) attempts" : "") }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, options.firstPause * 60)
      }
    }
    return nil
  }

  private nonisolated func attempt(_ message: OutboxMessage, _ target: MessageTarget, _ number: Int) async -> Attempt {
    let deadline = NIODeadline.now() + .seconds(Int64(options.timeout))
    let found: [HostAddress]
    switch await options.lookup.find(target.origin.host, seconds: options.timeout) {
    case .failure(let failure): return .again("the host cannot be looked up: \(failure.reason)")
    case .success(let addresses): found = addresses
    }
    guard let first = found.first else { return .again("the host has no address") }
    let fit = options.allowsPrivate ? found : found.filter { !$0.isSpecial }
    guard !fit.isEmpty else { return .refused("its address \(first.text) is not public") }
    var request = HTTPClientRequest(url: target.url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=UTF-8")
    request.headers.add(name: "User-Agent", value: "settle/\(SettleVersion.number)")
    request.body = .bytes(ByteBuffer(bytes: message.body))
    do {
      let client = await client(Peer(host: target.origin.host, address: fit[(number - 1) % fit.count]))
      let response = try await client.execute(request, deadline: deadline)
      // If a body is longer, the connection is closed; the status counts anyway.
      _ = try? await response.body.collect(upTo: Self.mostBytes)
      let status = response.status.code
      return switch status {
      case 200...299: .answered
      case 429, 500...599: .again("status \(status)")
      default: .refused("status \(status)")
      }
    } catch {
      return .again(Self.reason(error))
    }
  }

  /// Why there was no answer, in a few words.
  private static func reason(_ error: any Error) -> String {
    switch error as? HTTPClientError {
    case .deadlineExceeded?, .getConnectionFromPoolTimeout?: "no answer in time"
    case .connectTimeout?: "no connection in time"
    case .remoteConnectionClosed?: "the connection was closed"
    case let known?: "\(known.shortDescription)"
    case nil: String("\(error)".prefix(200).map { $0.isASCII && !$0.isNewline ? $0 : " " })
    }
  }
}
