import Failures
import Records
import Text

/// Takes the files of accounts, one after the other, and then the list of accounts.
protocol StatementDestination: AnyObject {
  /// Adds text to the current file, that of the account with this number.
  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(Failure)
  /// Ends the current file.
  func finish(number: Int) throws(Failure)
  /// Adds to the list of accounts.
  func appendToList(_ text: borrowing TextBuffer) throws(Failure)
  /// Ends the last file and the list.
  func finishAll() throws(Failure)
}

/// The names of the files of accounts: by number, never by account.
struct StatementNames: Sendable {
  /// The list of accounts next to them.
  static let list = "accounts.csv"

  let format: StatementFormat
  let day: UTCTime
  private let stlName: String

  init(format: StatementFormat, day: UTCTime) {
    self.format = format
    self.day = day
    stlName = STLFrame.fileName(day)
  }

  /// The folder of an account's file; nil if it has no folder of its own.
  func folder(_ number: Int) -> String? { format == .stl ? "\(number)" : nil }

  /// The name of an account's file in its folder.
  func file(_ number: Int) -> String { format == .stl ? stlName : "\(number).\(format.rawValue)" }

  /// The file's path in the output directory.
  func path(_ number: Int) -> String { (folder(number).map { "\($0)/" } ?? "") + file(number) }
}
