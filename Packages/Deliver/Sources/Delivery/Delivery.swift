import Dispatch
import Failures
import FileSystem

/// How an outbox is delivered.
package struct DeliveryOptions: Sendable {
  /// The origins that may be contacted.
  let allowed: Set<Origin>
  /// Whether addresses that are not public may be contacted: loopback, private and other special ones.
  let allowsPrivate: Bool
  /// Seconds that an attempt may take.
  let timeout: Int
  /// The maximum number of attempts for a message.
  let attempts: Int
  /// The maximum number of messages that are sent at once.
  let concurrency: Int
  /// The pause between the first two attempts. It doubles each time, up to sixty times the first.
  var firstPause = Duration.seconds(1)
  /// Finds the addresses of hosts.
  var lookup = HostLookup.system

  package init(allowed: [Origin], allowsPrivate: Bool, timeout: Int, attempts: Int, concurrency: Int) {
    self.allowed = Set(allowed)
    self.allowsPrivate = allowsPrivate
    self.timeout = timeout
    self.attempts = attempts
    self.concurrency = concurrency
  }
}

/// Delivers an outbox (`messages.md`): sends each message until it is answered. None is lost, and those with one pay
/// key stay in order.
package enum Delivery {
  /// The results of a delivery.
  package struct Counts: Sendable, Equatable {
    /// Answered in this run.
    package internal(set) var answered = 0
    /// Answered by earlier runs.
    package internal(set) var before = 0
    /// Not answered.
    package internal(set) var failed = 0
  }

  /// Sends the messages that `OUTBOX.sent` does not list yet.
  ///
  /// - Parameters:
  ///   - path: the outbox.
  ///   - report: called for each message that is not answered: its number, its origin if it has one, and the reason.
  /// - Throws: `.unreadable` if there is no such outbox, or a line of it is not a message or has a wrong digest, before
  ///   anything is sent; `.busy` if another run uses it; `.inputOutput` if an answer cannot be recorded.
  package static func send(
    _ path: String, options: DeliveryOptions,
    report: @escaping @Sendable (_ number: Int, _ origin: Origin?, String) -> Void
  ) throws(Failure) -> Counts {
    let outbox = try OutboxFile(path)
    let log = try SentLog(ofOutbox: path)
    // The task below may keep the log for a moment after it has signalled.
    defer { log.unlock() }
    var queues = MessageQueues()
    var counts = Counts()
    try outbox.forEachMessage { message, place in
      let origin = Origin.parse(message.url)?.origin
      let isAnswered = SentLog.key(message.digest).map(log.known.contains) ?? false
      let isAllowed = origin.map(options.allowed.contains) ?? false
      queues.add(message, at: place, to: origin, isAnswered ? .answered : isAllowed ? .waiting : .failed)
      if isAnswered { counts.before += 1 }
    }
    queues.finishAdding()
    for index in queues.failed {
      counts.failed += 1
      report(queues.number(of: index), queues.origin(of: index), "is not allowed; name its origin with --allow")
    }
    // The commands are not asynchronous: this thread waits.
    let run = DeliveryRun(queues: queues, before: counts, outbox: outbox, log: log, options: options, report: report)
    let done = DispatchSemaphore(value: 0)
    // Written before the semaphore is signalled, and read after it.
    nonisolated(unsafe) var result = Result<Counts, Failure>.success(counts)
    Task.detached {
      result = await run.run()
      done.signal()
    }
    done.wait()
    return try result.get()
  }
}

/// One run over an outbox.
private struct DeliveryRun: Sendable {
  let queues: MessageQueues
  /// The counts before anything is sent.
  let before: Delivery.Counts
  let outbox: OutboxFile
  let log: SentLog
  let options: DeliveryOptions
  let report: @Sendable (Int, Origin?, String) -> Void

  /// The result of sending a message: nil if it was answered and recorded, otherwise why not.
  private typealias Outcome = (index: Int, reason: Result<String?, Failure>)

  /// Sends everything that is waiting, and returns the result.
  func run() async -> Result<Delivery.Counts, Failure> {
    let sender = MessageSender(options)
    let result = await withTaskGroup(of: Outcome.self) { group -> Result<Delivery.Counts, Failure> in
      var queues = queues
      var counts = before
      var failure: Failure?
      var sending = 0
      func fail(_ index: Int, _ reason: String) {
        counts.failed += 1
        report(queues.number(of: index), queues.origin(of: index), reason)
      }
      while true {
        while failure == nil, sending < options.concurrency, let next = queues.next() {
          switch next {
          case .held(let index): fail(index, "an earlier message of the same key was not answered")
          case .send(let index):
            sending += 1
            let place = queues.place(of: index)
            group.addTask { (index, await self.send(place, by: sender)) }
          }
        }
        guard sending > 0, let (index, reason) = await group.next() else { break }
        sending -= 1
        var isAnswered = false
        switch reason {
        case .success(nil):
          isAnswered = true
          counts.answered += 1
        case .success(let reason?): fail(index, reason)
        case .failure(let fault): failure = failure ?? fault
        }
        queues.finish(index, isAnswered: isAnswered)
      }
      return failure.map { .failure($0) } ?? .success(counts)
    }
    await sender.close()
    return result
  }

  private func send(_ place: Range<Int>, by sender: MessageSender) async -> Result<String?, Failure> {
    do throws(Failure) {
      let message = try outbox.message(at: place)
      guard let target = MessageTarget(message.url) else { return .success("is not a url that can be contacted") }
      let reason = await sender.send(message, to: target)
      if reason == nil { try log.append(message.digest) }
      return .success(reason)
    } catch {
      return .failure(error)
    }
  }
}
