/// Answers in the order in which they were read. Details that a recent answer has too are stored once, so a row of a list
/// takes 32 bytes, and any answer at most 88.
struct AnswerStore {
  private var heads = Chunks<AnswerHead>()
  private var details = Chunks<AnswerDetails>()
  /// The places of details, by their hash: of two with one hash the later.
  private var recent = [UInt32](repeating: 0, count: 256)

  var count: Int { heads.count }

  mutating func append(_ answer: Answer) {
    var head = answer.head
    head.placeOfDetails = place(of: answer.details)
    heads.append(head)
  }

  private mutating func place(of details: AnswerDetails) -> UInt32 {
    let slot = Int(UInt(bitPattern: details.hashValue) % UInt(recent.count))
    if recent[slot] < self.details.count, self.details[recent[slot]] == details { return recent[slot] }
    recent[slot] = UInt32(self.details.count)
    self.details.append(details)
    return recent[slot]
  }

  /// A whole answer.
  subscript(place: UInt32) -> Answer {
    let head = heads[place]
    return Answer(head: head, details: details[head.placeOfDetails])
  }

  /// An answer's own part, which may change.
  subscript(head place: UInt32) -> AnswerHead {
    get { heads[place] }
    _modify { yield &heads[place] }
  }
}

/// Values that never move, so that memory does not double.
private struct Chunks<Value> {
  private static var length: Int { 1 << 12 }
  private var chunks: [[Value]] = []
  private(set) var count = 0

  mutating func append(_ value: Value) {
    if count % Self.length == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.length)
    }
    chunks[chunks.count - 1].append(value)
    count += 1
  }

  subscript(place: UInt32) -> Value {
    get { chunks[Int(place) / Self.length][Int(place) % Self.length] }
    _modify { yield &chunks[Int(place) / Self.length][Int(place) % Self.length] }
  }
}
