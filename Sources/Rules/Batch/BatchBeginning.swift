/// The first bytes of a batch, which show whether it is some other kind of file.
public struct BatchBeginning: Sendable {
  /// What the first line that is not empty shows about a JSON value over several lines.
  public enum FirstLine: String, Sendable {
    /// All lines are empty so far.
    case blank = ""
    /// It is only `{` so far.
    case brace = "{"
    case bracket = "["
    /// It is something else.
    case other = "-"

    /// Whether a JSON value over several lines begins here.
    var isSpread: Bool { self == .brace || self == .bracket }
  }

  /// The most bytes that are kept: enough to show what is wrong with a first line.
  static let length = 4096

  public private(set) var bytes: [UInt8]
  /// The first line that is not empty, without byte order mark, and without space, tab and CR at its ends.
  public private(set) var firstLine: FirstLine
  /// The number of bytes of a byte order mark at the start of the file so far; nil if no more can follow.
  private var markBytes: Int?

  /// A beginning with these bytes and this first line.
  public init(bytes: [UInt8] = [], firstLine: FirstLine = .blank) {
    self.bytes = bytes
    self.firstLine = firstLine
  }

  /// Takes the next text of the batch.
  ///
  /// - Parameter startsFile: whether a file begins with this text.
  public mutating func append(_ text: Span<UInt8>, startsFile: Bool) {
    if bytes.count < Self.length { bytes += Array(text.extracting(first: min(text.count, Self.length - bytes.count))) }
    if startsFile { markBytes = 0 }
    if startsFile, firstLine == .brace { isComplete = true }
    guard !isComplete else { return }
    for place in text.indices {
      let byte = text[place]
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if let count = markBytes {
        markBytes = count < 3 && byte == mark[count] ? count + 1 : nil
        if markBytes != nil { continue }
      }
      switch (byte, firstLine) {
      case (0x20, _), (0x09, _), (0x0D, _), (0x0A, .blank): continue
      case (0x0A, _): break
      case (UInt8(ascii: "["), .blank): firstLine = .bracket
      case (UInt8(ascii: "{"), .blank):
        firstLine = .brace
        continue
      default: firstLine = .other
      }
      isComplete = true
      return
    }
  }

  /// Whether the first line is known.
  private var isComplete = false

  /// Appends the beginning of the text that follows in the batch.
  public mutating func append(_ later: BatchBeginning) {
    bytes += later.bytes.prefix(Self.length - bytes.count)
    if firstLine == .blank { firstLine = later.firstLine }
  }
}
