import Failures
import FileSystem
import Text

/// Writes the rows of all accounts into one file.
final class StatementTable: StatementDestination {
  private static let pieceLength = 1 << 16

  private let file: PartialFile
  private var text = TextBuffer(capacity: pieceLength)

  init(_ file: PartialFile, header: String) {
    self.file = file
    text.append(header)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(Failure) {
    body(&text)
    if text.count > Self.pieceLength { try finishAll() }
  }

  func finish(number: Int) {}

  /// Each row names its account.
  func appendToList(_ text: borrowing TextBuffer) {}

  func finishAll() throws(Failure) {
    try text.withSpan { text throws(Failure) in try file.write(text) }
    text.removeAll()
  }
}
