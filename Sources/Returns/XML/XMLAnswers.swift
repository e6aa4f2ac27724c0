/// Reads the XML documents of a file, one after the other.
enum XMLAnswers {
  /// Whether a file begins like an XML document.
  static func begins(_ source: AnswerSource) -> Bool {
    var (space, at) = (DocumentSpace(), 0)
    guard space.skip(source.head, &at, isLast: true) else { return false }
    return source.head[at] == 0x3C || source.head[at...].starts(with: [0x00, 0x3C])
  }

  /// - Returns: the place of the first document's format in `AnswerFormat.all`.
  static func read(_ source: AnswerSource, into intake: AnswerIntake) throws(ReadingStop) -> Int {
    var (space, bytes, piece) = (DocumentSpace(), [UInt8](), [UInt8]())
    // The place in `bytes`, where these are in the file, where the document begins there, and the lines before it.
    var (at, before, beginning, lines) = (0, 0, 0, 0)
    var format: Int?
    var open: XMLDocument?
    while true {
      try source.next(into: &piece)
      let isLast = piece.isEmpty
      before += at
      bytes.removeFirst(at)
      if bytes.isEmpty { swap(&bytes, &piece) } else { bytes += piece }
      at = 0
      while true {
        if open == nil {
          let hasNext = space.skip(bytes, &at, isLast: isLast)
          lines += space.removeLines()
          guard hasNext else { break }
          open = XMLDocument(intake, linesBefore: lines, isFirst: format == nil)
          beginning = before + at
        }
        guard let document = open, try document.parse(bytes[at...], isLast: isLast) else {
          at = bytes.count
          break
        }
        at = beginning + document.byteEnd - before
        lines += document.lineFeeds
        format = format ?? document.format
        open = nil
      }
      if isLast { return format! }
    }
  }
}
