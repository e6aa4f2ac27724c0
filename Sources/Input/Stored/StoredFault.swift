/// The stored form of a batch file is broken. Everything before the break is good text; the rest is lost.
///
/// The rules are those of the specification's page on the batch, section "File".
public struct CorruptBatch: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file as the user gave it; `-` is standard input.
  public let file: String

  /// The offset in the stored file at which the broken element begins: a frame header, a block header, a checksum. For
  /// a truncated file, the number of its bytes.
  public let storedOffset: UInt64

  /// What is wrong and what was expected, for the user: no capital first letter, no full stop.
  public let reason: String

  /// One line for the user: file, reason and place.
  public var description: String { "\(file): \(reason) (at stored byte \(storedOffset))" }
}

/// The system could not open or read a batch file. Nothing is known about its content.
public struct ReadFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operation on the file.
  public enum Operation: String, Sendable {
    /// Opening the file, or examining it right after.
    case open
    /// Reading the bytes of the open file.
    case read
  }

  /// The file as the user gave it; `-` is standard input.
  public let path: String

  /// The operation that failed.
  public let operation: Operation

  /// The `errno` of the failed call; 0 if no call failed, such as for a file that changed while it was read.
  public let code: Int32

  /// What went wrong, for the user: the system's own text for `code`, or a clearer one.
  public let message: String

  /// A failure.
  public init(path: String, operation: Operation, code: Int32, message: String) {
    (self.path, self.operation, self.code, self.message) = (path, operation, code, message)
  }

  /// One line for the user: file, operation and message.
  public var description: String { "\(path): cannot \(operation.rawValue) the file: \(message)" }
}
