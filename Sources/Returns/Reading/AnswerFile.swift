import Failures
import FileSystem
import Payouts
import SystemPackage

/// A file of answers that was read, or could not be read.
struct AnswerFile {
  /// What reading it found besides answers.
  struct Content {
    /// The place of its format in `AnswerFormat.all`.
    let format: Int
    /// Whether its control totals agree; nil in formats without them.
    var controls: ControlState?
    /// The first disagreement: its line, and what it is.
    var disagreement: (line: Int, text: String)?
    /// The faults of a list's rows; their first counts.
    var faults = InputFaults()
    /// The length of the file and its SHA-256, if the reader of the format computed them.
    var stored: (bytes: Int, sha256: String)?
  }

  /// How the control totals of a file compare with its records.
  enum ControlState: String {
    case verified, absent, mismatch
  }

  /// Its path as given, safe to show.
  let shown: String
  var content: Content?
  var stored: (bytes: Int, sha256: String) = (0, "")
  /// The answers about this ledger, and the others.
  var answers = 0
  var others = 0
  var fault: AnswerFault?
  /// Why it could not be read.
  var failure: Failure?

  /// Reads a file.
  ///
  /// - Parameter number: its place among those given.
  static func read(_ path: String, number: Int, into intake: AnswerIntake) -> AnswerFile {
    var file = AnswerFile(shown: OutputPlace.shown(path))
    intake.begin(file: number)
    do throws(Errno) {
      let source = try AnswerSource(path: path)
      do throws(ReadingStop) {
        let content = try read(source, into: intake)
        (file.content, file.stored) = (content, content.stored ?? (source.byteCount, source.sha256))
      } catch {
        switch error {
        case .fault(let fault): file.fault = fault
        case .system(let error): throw error
        case .failed(let failure): file.failure = failure
        }
      }
    } catch {
      file.failure = Failure.unreadable("\(file.shown): cannot be read: \(error)")
    }
    (file.answers, file.others) = (intake.kept, intake.others)
    return file
  }

  private static func read(_ source: AnswerSource, into intake: AnswerIntake) throws(ReadingStop) -> Content {
    for (place, format) in AnswerFormat.all.enumerated() {
      guard case .text(let begins, let read) = format.reading, begins(source) else { continue }
      return try read(source, intake, place)
    }
    if XMLAnswers.begins(source) { return Content(format: try XMLAnswers.read(source, into: intake)) }
    throw .fault(AnswerFault(line: 1, code: .notAnAnswer, message: Self.guess(source.head)))
  }

  /// What is said of a file in no format.
  private static func guess(_ head: [UInt8]) -> String {
    let packed: [(name: String, beginning: [UInt8], command: String)] = [
      ("a ZIP", [0x50, 0x4B, 0x03, 0x04], "unzip"), ("a ZIP", [0x50, 0x4B, 0x05, 0x06], "unzip"),
      ("a gzip", [0x1F, 0x8B], "gunzip"), ("a zstd", [0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
      ("an LZ4", [0x04, 0x22, 0x4D, 0x18], "unlz4"),
    ]
    if let kind = packed.first(where: { head.starts(with: $0.beginning) }) {
      return "is \(kind.name) file; unpack it first (\(kind.command)) and give what is in it"
    }
    return "\(head.isEmpty ? "is empty" : "has none of these formats"); expected \(AnswerFormat.titles)"
  }

  /// What is wrong with its content; nil if nothing is.
  var faults: FileFaults? {
    if let fault { return FileFaults(shown, fault.reported(shown)) }
    guard let first = content?.faults.listed.first else { return nil }
    let columns = AnswerList.columns
    return FileFaults(
      shown,
      ReportedFault(
        file: shown, line: first.line, code: first.code.rawValue, field: first.column.map { columns[$0] },
        message: first.message(columns: columns)))
  }
}
