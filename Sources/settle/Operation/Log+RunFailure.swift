import BatchRun
import Console
import Logging
import Rules

extension Log {
  /// Says what is wrong with a batch that is settled all the same.
  static func warning(_ error: BatchError) { logger.warning("\(words(error))", metadata: metadata(error)) }

  /// Says why a command fails.
  static func tell(_ failure: RunFailure) {
    let exitCode: Logger.Metadata = ["exitCode": .stringConvertible(failure.exitCode)]
    switch failure {
    // No one reads any more: there is nothing to be said, and often no one to say it to.
    case .brokenPipe: return
    case .batch(let error):
      logger.error("\(words(error))", metadata: metadata(error).merging(exitCode) { $1 })
    default: logger.error("\(failure.message)", metadata: exitCode)
    }
  }

  /// A batch error without its place, if that is a line: a line of the log begins with it.
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
