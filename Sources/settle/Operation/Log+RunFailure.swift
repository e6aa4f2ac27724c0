import BatchRun
import Console
import Logging

extension Log {
  /// Tells why a command fails.
  static func tell(_ failure: RunFailure) {
    var metadata: Logger.Metadata = ["exitCode": .stringConvertible(failure.exitCode)]
    switch failure {
    // Nobody reads any more: there is nothing to be said, and often nobody to say it to.
    case .brokenPipe: return
    case .batch(let error):
      metadata["code"] = .string(error.code.code.description)
      if let file = error.file { metadata["file"] = .string(file) }
      if let line = error.line {
        metadata["line"] = .stringConvertible(line)
        return logger.error("\(error.code.code): \(error.reason)", metadata: metadata)
      }
    default: break
    }
    logger.error("\(failure.message)", metadata: metadata)
  }
}
