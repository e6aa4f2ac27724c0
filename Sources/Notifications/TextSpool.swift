import Failures
import FileSystem
import Text

/// Short texts that wait in an unnamed file until the batch has ended, in the order in which they came.
final class TextSpool {
  private let file: SpoolFile
  private var entry = TextBuffer()

  /// - Parameter scratch: a path next to which the file is made.
  init(beside scratch: String) throws(Failure) { file = try SpoolFile(beside: scratch) }

  /// Appends a text of less than 65,536 bytes.
  ///
  /// - Returns: its place.
  @discardableResult
  func append(_ text: [UInt8]) throws(Failure) -> Int {
    let place = file.count
    entry.removeAll()
    entry.append(UInt8(text.count >> 8))
    entry.append(UInt8(text.count & 255))
    entry.append(text, count: text.count)
    try file.append(entry.bytes, count: entry.count)
    return place
  }

  func text(at place: Int) throws(Failure) -> [UInt8] {
    try file.flush()
    var head = [UInt8](repeating: 0, count: 2)
    try file.read(&head, count: 2, at: place)
    var text = [UInt8](repeating: 0, count: Int(head[0]) << 8 | Int(head[1]))
    try file.read(&text, count: text.count, at: place + 2)
    return text
  }

  /// Reads the texts from the first on.
  func reader() -> TextSpoolReader { TextSpoolReader(reader: SpoolReader(file)) }
}

/// Reads the texts of a spool.
struct TextSpoolReader: ~Copyable {
  fileprivate var reader: SpoolReader

  /// The next text; nil after the last one.
  mutating func next() throws(Failure) -> [UInt8]? {
    guard let head = try reader.rawRead(2) else { return nil }
    let count = Int(head[0]) << 8 | Int(head[1])
    return try reader.rawRead(count).map { Array($0) }
  }
}
