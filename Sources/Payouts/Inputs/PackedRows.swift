/// The rows of a list in memory, each a line number and texts of at most 255 bytes: lists may have millions of rows.
final class PackedRows {
  /// The bytes of whole rows, in pieces, so that growing copies nothing.
  private var pieces: [[UInt8]] = []
  /// Where each row begins: its piece, and the place there.
  private var starts: [UInt32] = []
  let texts: Int

  private static let (placeBits, pieceLength) = (UInt32(20), 1 << 20)
  private static let lineLength = 4

  /// - Parameter texts: how many texts a row has.
  init(texts: Int) { self.texts = texts }

  var count: Int { starts.count }

  func append(line: Int, _ fields: [[UInt8]]) {
    precondition(fields.count == texts && fields.allSatisfy { $0.count <= UInt8.max }, "texts of at most 255 bytes")
    let length = fields.reduce(Self.lineLength + texts) { $0 + $1.count }
    if pieces.last.map({ $0.count + length > Self.pieceLength }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
    }
    let last = pieces.count - 1
    starts.append(UInt32(last) << Self.placeBits | UInt32(pieces[last].count))
    for shift in [0, 8, 16, 24] { pieces[last].append(UInt8(truncatingIfNeeded: line >> shift)) }
    for field in fields {
      pieces[last].append(UInt8(field.count))
      pieces[last] += field
    }
  }

  func line(_ row: Int) -> Int {
    with(row) { bytes, place in (0..<Self.lineLength).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
  }

  /// Calls `body` with a text of a row.
  func with<Result>(_ text: Int, of row: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    with(row) { bytes, start in
      var place = start + Self.lineLength
      for _ in 0..<text { place += 1 + Int(bytes[place]) }
      return body(bytes.extracting(place + 1..<place + 1 + Int(bytes[place])))
    }
  }

  func bytes(_ text: Int, of row: Int) -> [UInt8] { with(text, of: row) { [UInt8]($0) } }
  func isEmpty(_ text: Int, of row: Int) -> Bool { with(text, of: row) { $0.isEmpty } }

  private func with<Result>(_ row: Int, _ body: (Span<UInt8>, Int) -> Result) -> Result {
    let start = starts[row]
    let piece = pieces[Int(start >> Self.placeBits)]
    return body(piece.span, Int(start & (1 << Self.placeBits - 1)))
  }

  /// Negative, zero or positive if a text of a row comes before, equals, or comes after that of another row.
  func compare(_ text: Int, _ row: Int, _ other: PackedRows, _ otherRow: Int) -> Int {
    with(text, of: row) { left in other.with(text, of: otherRow) { left.compare($0) } }
  }
}
