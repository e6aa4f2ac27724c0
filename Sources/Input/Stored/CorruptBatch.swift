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
