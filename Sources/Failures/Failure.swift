/// Why a command, a run or a file operation ended without a result: what is wrong, where, and what was expected.
public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What callers tell apart. Each kind has an exit code (`reports.md`).
  public enum Kind: Sendable, Equatable {
    /// The batch as a whole cannot be settled (2).
    case batch(BatchError)
    /// The reports and the batch do not belong to the same settlement (2).
    case notOfOneSettlement
    /// The command line lacks something that the batch does not say either (64).
    case usage
    /// An input cannot be opened or read (66).
    case unreadable
    /// An output exists already or cannot be made (73).
    case unavailable
    /// Reading or writing failed halfway (74).
    case inputOutput
    /// What was stored cannot be right (74).
    case damaged
    /// A ledger may not be the newest copy, or is lost (74).
    case unsound
    /// Another process holds an output or a ledger (75).
    case busy
    /// The fee schedule or the ledger cannot be used, or another version of settle got other results for a batch (78).
    case configuration
    /// The file is not a ledger (78).
    case foreign
    /// The reader of the output is gone (141, the exit code of a program that SIGPIPE ends). Expected; no message is
    /// shown.
    case brokenPipe

    /// The process's exit code.
    public var exitCode: Int32 {
      switch self {
      case .batch, .notOfOneSettlement: 2
      case .usage: 64
      case .unreadable: 66
      case .unavailable: 73
      case .inputOutput, .damaged, .unsound: 74
      case .busy: 75
      case .configuration, .foreign: 78
      case .brokenPipe: 141
      }
    }
  }

  /// What to do next.
  public struct Advice: Sendable, Equatable {
    private let words: @Sendable (_ subject: String) -> String

    /// - Parameter words: sentences, with commands to be pasted that name the failure's subject.
    public init(_ words: @escaping @Sendable (_ subject: String) -> String) { self.words = words }

    fileprivate func text(_ subject: String) -> String { words(subject) }

    /// Compares what a user sees.
    public static func == (left: Advice, right: Advice) -> Bool { left.text("") == right.text("") }
  }

  /// By reference, so that a failure is one word on every way that it is thrown.
  private final class Content: Sendable {
    let kind: Kind
    let text: String
    let subject: String?
    let advice: Advice?

    init(_ kind: Kind, _ text: String, _ subject: String?, _ advice: Advice?) {
      self.kind = kind
      self.text = text
      self.subject = subject
      self.advice = advice
    }
  }

  private let content: Content

  /// A failure of any kind.
  public init(_ kind: Kind, _ text: String, subject: String? = nil, advice: Advice? = nil) {
    content = Content(kind, text, subject, advice)
  }

  /// What callers tell apart.
  public var kind: Kind { content.kind }
  /// What is wrong, without the subject's name and the advice.
  public var text: String { content.text }
  /// What it is about, such as the path of a ledger; nil if the text names it, or it is not known yet.
  public var subject: String? { content.subject }
  /// What to do next; nil if the text says it.
  public var advice: Advice? { content.advice }

  /// Compares what a user sees, and the kinds.
  public static func == (left: Failure, right: Failure) -> Bool {
    left.kind == right.kind && left.text == right.text && left.subject == right.subject && left.advice == right.advice
  }

  /// The process's exit code.
  public var exitCode: Int32 { kind.exitCode }

  /// The message for standard error.
  public var message: String {
    let named = subject.map { "\($0): \(text)" } ?? text
    guard let advice else { return named }
    return "\(named). \(advice.text(subject ?? ""))"
  }

  /// The message.
  public var description: String { message }
}

extension Failure {
  /// A batch that cannot be settled as a whole.
  public static func batch(_ error: BatchError) -> Failure { Failure(.batch(error), error.description) }

  /// Reports and a batch that do not belong to the same settlement.
  public static func notOfOneSettlement(_ message: String) -> Failure { Failure(.notOfOneSettlement, message) }

  /// A command line that lacks something.
  public static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  /// An input that cannot be opened or read.
  public static func unreadable(_ message: String) -> Failure { Failure(.unreadable, message) }

  /// An output that exists already or cannot be made.
  public static func unavailable(_ message: String) -> Failure { Failure(.unavailable, message) }

  /// Reading or writing that failed halfway.
  public static func inputOutput(_ message: String) -> Failure { Failure(.inputOutput, message) }

  /// Stored bytes that cannot be right.
  public static func damaged(_ message: String) -> Failure { Failure(.damaged, message) }

  /// A ledger that may not be the newest copy, or is lost.
  public static func unsound(_ message: String, _ advice: Advice) -> Failure {
    Failure(.unsound, message, advice: advice)
  }

  /// An output or a ledger that another process holds.
  public static func busy(_ message: String) -> Failure { Failure(.busy, message) }

  /// A fee schedule or a ledger that cannot be used.
  public static func configuration(_ message: String) -> Failure { Failure(.configuration, message) }

  /// A file that is not a ledger.
  public static func foreign(_ message: String) -> Failure { Failure(.foreign, message) }

  /// An output whose reader is gone.
  public static let brokenPipe = Failure(.brokenPipe, "standard output was closed")
}
