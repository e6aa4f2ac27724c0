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
    entry.append(text)
    try entry.withSpan { entry throws(Failure) in try file.append(entry) }
    return place
  }

  func text(at place: Int) throws(Failure) -> [UInt8] {
    try file.flush()
    let head = try file.bytes(place..<place + 2)
    let count = Int(head[0]) << 8 | Int(head[1])
    return try file.bytes(place + 2..<place + 2 + count)
  }

  /// Reads the texts from the first on.
  func reader() -> TextSpoolReader { TextSpoolReader(reader: SpoolReader(file)) }
}

/// Reads the texts of a spool.
struct TextSpoolReader: ~Copyable {
  fileprivate var reader: SpoolReader

  /// The next text; nil after the last one.
  mutating func next() throws(Failure) -> [UInt8]? {
    let reader = reader
    guard let head = try reader.read(2) else { return nil }
    let count = Int(head[0]) << 8 | Int(head[1])
    guard let text = try reader.read(count) else { return nil }
    return [UInt8](text)
  }
}
