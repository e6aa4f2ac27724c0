import Foundation
import Glibc
import TestSupport

/// The files that the engine reads, and the directories that it makes.
enum Scratch {
  /// A file in a directory of its own, so that tests may run in parallel; its name is always the same.
  final class Place: Sendable {
    let folder: String
    let path: String

    fileprivate init(_ name: String) {
      var template = Array((NSTemporaryDirectory() + "/settle-fuzz-XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else { fatalError("no temporary directory: errno \(errno)") }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = folder + "/" + name
    }

    /// Replaces the file.
    func write(_ bytes: [UInt8]) {
      guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0
      else { fatalError("cannot write \(path): errno \(errno)") }
    }

    /// Removes the file and its directory.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Writes a file.
  static func file(_ name: String, _ bytes: [UInt8]) -> Place {
    let place = Place(name)
    place.write(bytes)
    return place
  }
}
