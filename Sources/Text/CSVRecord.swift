/// The fields of a CSV record of one line, by RFC 4180; reused, so that records cost no allocation.
public struct CSVRecord: ~Copyable {
  /// The line, or its fields without quotes, one after the other.
  private(set) var text = TextBuffer(capacity: 4096)
  /// The places of the fields in the text.
  private(set) var places: [Range<Int>] = []

  /// No fields.
  public init() {}

  /// The number of fields.
  public var count: Int { places.count }

  /// A field without quotes.
  public subscript(place: Int) -> Span<UInt8> {
    @_lifetime(borrow self) get { text.span.extracting(places[place]) }
  }

  public var strings: [String] { places.map { String(decoding: text.span.extracting($0)) } }

  /// Splits a line without its ending; false if a quote is stray or open.
  public mutating func split(_ line: Span<UInt8>) -> Bool {
    places.removeAll(keepingCapacity: true)
    text.removeAll()
    if line.place(of: UInt8(ascii: "\"")) != nil { return splitQuoted(line) }
    text.append(line)
    var start = 0
    while let comma = line.place(of: UInt8(ascii: ","), from: start) {
      places.append(start..<comma)
      start = comma + 1
    }
    places.append(start..<line.count)
    return true
  }

  private mutating func splitQuoted(_ line: Span<UInt8>) -> Bool {
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    var at = 0
    while true {
      let start = text.count
      if at < line.count, line[at] == quote {
        at += 1
        while true {
          guard at < line.count else { return false }
          if line[at] == quote {
            at += 1
            if at == line.count || line[at] != quote { break }
          }
          text.append(line[at])
          at += 1
        }
        guard at == line.count || line[at] == comma else { return false }
      } else {
        while at < line.count, line[at] != comma {
          guard line[at] != quote else { return false }
          text.append(line[at])
          at += 1
        }
      }
      places.append(start..<text.count)
      if at == line.count { return true }
      at += 1
    }
  }
}
