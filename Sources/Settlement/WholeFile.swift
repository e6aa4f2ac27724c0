import Failures
import FileSystem
import Glibc
import SystemPackage

/// Reads complete small files: fee schedules, requests to import.
package enum WholeFile {
  /// The bytes of a file; nil if there are more than `limit`.
  ///
  /// - Parameters:
  ///   - path: a path, or `-` for standard input.
  ///   - what: what the file is, for messages: `the fee schedule`.
  package static func read(_ path: String, what: String, limit: Int) throws(Failure) -> [UInt8]? {
    var deed = "open"
    do throws(Errno) {
      let file = try OpenFile(reading: path, waits: true)
      deed = "read"
      let bytes = try file.bytes(atMost: limit)
      return bytes.count <= limit ? bytes : nil
    } catch {
      throw .unreadable("\(OutputPlace.shown(path)): cannot \(deed) \(what): \(error)")
    }
  }
}
