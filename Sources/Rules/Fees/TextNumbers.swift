/// Texts, each with a number: a look-up creates no key.
public struct TextNumbers: Sendable {
  /// The texts with their numbers, in the order in which they were added.
  public private(set) var entries: [(text: [UInt8], number: Int)] = []
  /// Indices in `entries` by a hash of the text.
  private var places: [UInt64: [Int]] = [:]

  /// No texts.
  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// Adds a text. Returns false if it is already present.
  mutating func insert(_ text: [UInt8], _ number: Int) -> Bool {
    guard self.number(of: text.span) == nil else { return false }
    places[Self.hash(text.span), default: []].append(entries.count)
    entries.append((text, number))
    return true
  }

  /// The number of a text; nil if it is another text.
  func number(of text: Span<UInt8>) -> Int? {
    for place in places[Self.hash(text)] ?? [] {
      let entry = entries[place]
      if entry.text.span.isEqual(to: text) { return entry.number }
    }
    return nil
  }

  // FNV-1a: the schedule is the operator's own, so not hostile.
  private static func hash(_ text: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in text.indices { hash = (hash ^ UInt64(text[place])) &* 0x100_0000_01B3 }
    return hash
  }
}
