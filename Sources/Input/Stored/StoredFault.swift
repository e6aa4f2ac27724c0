/// The stored form of a batch file is broken: everything up to the break is good text, what follows is lost.
///
/// The rules are those of the specification's page on the batch, section "File".
public struct CorruptBatch: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file as the user gave it; `-` is standard input.
  public let file: String

  /// Where in the stored file, in bytes from its start, the element begins that is wrong: a frame header, a block
  /// header, a checksum. For a truncated file the number of bytes there are.
  public let storedOffset: UInt64

  /// What is wrong and what was expected, to be shown to the user: no capital first letter, no full stop.
  public let reason: String

  /// One line for the user: file, reason and place.
  public var description: String { "\(file): \(reason) (at stored byte \(storedOffset))" }
}

/// The system could not open or read a batch file. Nothing is known about what the file holds.
public struct ReadFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was being done to the file.
  public enum Operation: String, Sendable {
    /// The file was being opened, or examined right after.
    case open
    /// The file was open and its bytes were being read.
    case read
  }

  /// The file as the user gave it; `-` is standard input.
  public let path: String

  /// What was being done.
  public let operation: Operation

  /// The `errno` of the failed call; 0 if no call failed, as for a file that changed while it was read.
  public let code: Int32

  /// What went wrong, to be shown to the user: the system's own text for `code`, or a clearer one.
  public let message: String

  /// A failure.
  public init(path: String, operation: Operation, code: Int32, message: String) {
    (self.path, self.operation, self.code, self.message) = (path, operation, code, message)
  }

  /// One line for the user: file, operation and message.
  public var description: String { "\(path): cannot \(operation.rawValue) the file: \(message)" }
}
