import Failures
import FileSystem
import Ledger
import Text

// Runs whose reports were published at a URI, by shards.

extension RunLedger {
  /// Throws if a run is publishing its reports at a URI, or was interrupted there.
  func expectNoRemote(_ attempt: Attempt) throws(Failure) {
    guard FileName.isURI(attempt.directory) else { return }
    let uri = Array(attempt.directory.prefix { $0 != UInt8(ascii: "#") })
    throw .busy(
      "\(shown): settle-spark publishes reports at \(MessageText.escapedName(uri)), or was interrupted there; the same "
        + "command with the same --work completes it")
  }
}
