import Glibc

/// The fields of a CSV record of one line, by RFC 4180; reused, so that records cost no allocation.
public struct CSVRecord: ~Copyable {
  /// The fields without quotes; valid as long as the line is, until the next one is split.
  public private(set) var fields: [UnsafeBufferPointer<UInt8>] = []
  private var unquoted = TextBuffer(capacity: 4096)

  /// No fields.
  public init() {}

  /// Splits a line without its ending; false if a quote is stray or open.
  public mutating func split(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    fields.removeAll(keepingCapacity: true)
    guard let bytes = line.baseAddress else {
      fields.append(line)
      return true
    }
    if memchr(bytes, Int32(UInt8(ascii: "\"")), line.count) != nil { return splitQuoted(line) }
    var start = 0
    while let comma = memchr(bytes + start, Int32(UInt8(ascii: ",")), line.count - start) {
      let end = UnsafeRawPointer(comma) - UnsafeRawPointer(bytes)
      fields.append(UnsafeBufferPointer(start: bytes + start, count: end - start))
      start = end + 1
    }
    fields.append(UnsafeBufferPointer(start: bytes + start, count: line.count - start))
    return true
  }

  private mutating func splitQuoted(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    unquoted.removeAll()
    // Nothing moves while fields point to it.
    _ = unquoted.reserve(line.count)
    var at = 0
    while true {
      let start = unquoted.count
      if at < line.count, line[at] == quote {
        at += 1
        while true {
          guard at < line.count else { return false }
          if line[at] == quote {
            at += 1
            if at == line.count || line[at] != quote { break }
          }
          unquoted.append(line[at])
          at += 1
        }
        guard at == line.count || line[at] == comma else { return false }
      } else {
        while at < line.count, line[at] != comma {
          guard line[at] != quote else { return false }
          unquoted.append(line[at])
          at += 1
        }
      }
      fields.append(UnsafeBufferPointer(start: unquoted.bytes + start, count: unquoted.count - start))
      if at == line.count { return true }
      at += 1
    }
  }
}
