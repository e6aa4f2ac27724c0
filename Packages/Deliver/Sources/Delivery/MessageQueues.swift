import Claims

/// The messages of an outbox that are not answered yet, and which of them may be sent next.
///
/// Each host has its messages in the order of the outbox. The first of them waits while an earlier message with the
/// same pay key is unfinished. The earliest of all remaining messages never waits, so there is always one to send.
struct MessageQueues {
  /// The facts about a message that are kept in memory.
  private struct Entry {
    let start: Int
    let length: Int32
    let number: Int32
    /// The index of its origin among all origins; -1 if it has none.
    let origin: Int32
    /// The previous message with the same pay key, or -1.
    let previous: Int32
    var state: State
  }

  enum State: UInt8 {
    case waiting, sending, answered, failed
  }

  /// The state of the message at the head of a queue.
  enum Next {
    case send(Int)
    /// An earlier message with its pay key was not answered.
    case held(Int)
  }

  private var entries: [Entry] = []
  private var origins: [Origin] = []
  private var placeOfOrigin: [Origin: Int] = [:]
  private let hash = KeyedHash()
  private var lastOf: [Fingerprint: Int] = [:]
  private var queues: [[Int]] = []
  private var heads: [Int] = []
  private var sending: [Int] = []
  private var queueOfHost: [String: Int] = [:]
  /// Where the next search begins, so that every host gets its turn.
  private var turn = 0

  /// The maximum number of messages sent to a host at once.
  static let mostOfHost = 2

  /// Adds a message after all others.
  mutating func add(_ message: OutboxMessage, at place: Range<Int>, to origin: Origin?, _ state: State) {
    let subject = Array(message.subject.utf8)
    let previous =
      lastOf.updateValue(entries.count, forKey: hash.fingerprint(subject.span)) ?? -1
    let originPlace = origin.map { origin in
      if let known = placeOfOrigin[origin] { return known }
      placeOfOrigin[origin] = origins.count
      origins.append(origin)
      return origins.count - 1
    }
    if state == .waiting, let host = origin?.host {
      let queue = queueOfHost[host] ?? queues.count
      if queue == queues.count {
        queueOfHost[host] = queue
        queues.append([])
        heads.append(0)
        sending.append(0)
      }
      queues[queue].append(entries.count)
    }
    entries.append(
      Entry(
        start: place.lowerBound, length: Int32(place.count), number: Int32(clamping: message.number),
        origin: Int32(originPlace ?? -1), previous: Int32(previous), state: state))
  }

  /// The messages that were not sent or not answered.
  var failed: some Sequence<Int> { entries.indices.lazy.filter { [entries] in entries[$0].state == .failed } }

  /// Where the message is in the outbox.
  func place(of index: Int) -> Range<Int> {
    entries[index].start..<entries[index].start + Int(entries[index].length)
  }

  /// The message's number.
  func number(of index: Int) -> Int { Int(entries[index].number) }

  /// The message's origin; nil if its url has none.
  func origin(of index: Int) -> Origin? { entries[index].origin < 0 ? nil : origins[Int(entries[index].origin)] }

  /// Call it after the last message was added.
  mutating func finishAdding() { lastOf = [:] }

  /// The message to send next; nil if all are waiting for others, or none is left.
  mutating func next() -> Next? {
    for step in 0..<queues.count {
      let queue = (turn + step) % queues.count
      guard heads[queue] < queues[queue].count, sending[queue] < Self.mostOfHost else { continue }
      let index = queues[queue][heads[queue]]
      let previous = Int(entries[index].previous)
      let before = previous < 0 ? State.answered : entries[previous].state
      guard before == .answered || before == .failed else { continue }
      heads[queue] += 1
      turn = queue + 1
      entries[index].state = before == .answered ? .sending : .failed
      if before == .failed { return .held(index) }
      sending[queue] += 1
      return .send(index)
    }
    return nil
  }

  /// Marks a sent message as finished.
  mutating func finish(_ index: Int, isAnswered: Bool) {
    entries[index].state = isAnswered ? .answered : .failed
    if let host = origin(of: index)?.host, let queue = queueOfHost[host] { sending[queue] -= 1 }
  }
}
