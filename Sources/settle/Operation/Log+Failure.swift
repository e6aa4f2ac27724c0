import Console
import Failures
import Logging

extension Log {
  /// Warns about an error of a batch that is settled nevertheless.
  static func warning(_ error: BatchError) { logger.warning("\(words(error))", metadata: metadata(error)) }

  /// Says why a command fails.
  static func report(_ failure: Failure) {
    let exitCode: Logger.Metadata = ["exitCode": .stringConvertible(failure.exitCode)]
    switch failure.kind {
    // No one reads the output any more, so there is nothing to say.
    case .brokenPipe: return
    case .batch(let error):
      logger.error("\(words(error))", metadata: metadata(error).merging(exitCode) { $1 })
    default: logger.error("\(failure.message)", metadata: exitCode)
    }
  }

  /// A batch error without its place if that is a line: the log line begins with it.
  private static func words(_ error: BatchError) -> String {
    error.line == nil ? error.description : "\(error.code.code): \(error.reason)"
  }

  private static func metadata(_ error: BatchError) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["code": .string(error.code.code)]
    if let file = error.file { metadata["file"] = .string(file) }
    if let line = error.line { metadata["line"] = .stringConvertible(line) }
    return metadata
  }
}
