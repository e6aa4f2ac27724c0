import FileSystem
import Records
import Text

/// Where the files of accounts go, one after the other, and then the list of them.
protocol StatementDestination: AnyObject {
  /// Adds to the text of the file under way, that of the account with this number.
  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure)
  /// Ends the file under way.
  func finish(number: Int) throws(FileFailure)
  /// Adds to the list of accounts.
  func appendToList(_ text: borrowing TextBuffer) throws(FileFailure)
  /// Ends the last file and the list.
  func finishAll() throws(FileFailure)
}

/// What the files of accounts are called: by number, never by account.
struct StatementNames: Sendable {
  /// The list of accounts beside them.
  static let list = "accounts.csv"

  let format: StatementFormat
  let day: UTCTime
  private let stlName: String

  init(format: StatementFormat, day: UTCTime) {
    self.format = format
    self.day = day
    stlName = STLFrame.fileName(day)
  }

  /// The folder of an account's file; nil if it has none of its own.
  func folder(_ number: Int) -> String? { format == .stl ? "\(number)" : nil }

  /// The name of an account's file in its folder.
  func file(_ number: Int) -> String { format == .stl ? stlName : "\(number).\(format.rawValue)" }

  /// The file's path from the directory of all.
  func path(_ number: Int) -> String { (folder(number).map { "\($0)/" } ?? "") + file(number) }
}
