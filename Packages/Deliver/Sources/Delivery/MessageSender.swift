/// Sends one message by HTTP: looks up the host, checks its address, and connects to exactly that address.
struct MessageSender: Sendable {
  /// The result of an attempt.
  enum Attempt: Sendable {
    case answered
    /// A later attempt may be answered.
    case again(String)
    /// It is not tried again in this run.
    case refused(String)
  }

  private let options: DeliveryOptions
  private let transfers = Transfers()

  init(_ options: DeliveryOptions) { self.options = options }

  /// Closes all connections.
  func close() async { await transfers.close() }

  /// Tries as often as the options say. Returns nil if the message was answered, otherwise why not.
  func send(_ message: OutboxMessage, to target: MessageTarget) async -> String? {
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

  private func attempt(_ message: OutboxMessage, _ target: MessageTarget, _ number: Int) async -> Attempt {
    let end = ContinuousClock.now + .seconds(options.timeout)
    let found: [HostAddress]
    switch await options.lookup.find(target.origin.host, seconds: options.timeout) {
    case .failure(let failure): return .again("the host cannot be looked up: \(failure.reason)")
    case .success(let addresses): found = addresses
    }
    guard let first = found.first else { return .again("the host has no address") }
    let fit = options.allowsPrivate ? found : found.filter { !$0.isSpecial }
    guard !fit.isEmpty else { return .refused("its address \(first.text) is not public") }
    let request = Request(
      url: target.url, address: fit[(number - 1) % fit.count], body: message.body, timeout: end - .now)
    return switch await transfers.status(for: request) {
    case .success(200...299): .answered
    case .success(let status) where status == 429 || 500...599 ~= status: .again("status \(status)")
    case .success(let status): .refused("status \(status)")
    case .failure(let failure): .again(failure.reason)
    }
  }
}
