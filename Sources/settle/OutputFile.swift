import BatchFile
import BatchRun
import Glibc
import Settlement

/// What a command writes in one go: a file, whole or not at all; or standard output, a pipe or a device as it comes.
final class OutputFile {
  /// The name for messages.
  let shown: String
  private let partial: PartialFile?
  private let descriptor: Int32
  private let replaces: Bool
  /// A path in a directory where a file may take as much room as this one.
  let scratchPath: String

  /// - Parameters:
  ///   - path: a path, where a link stands for what it leads to; or `-` for standard output.
  ///   - replaces: whether it takes the place of a file that is there; else it throws where there is one.
  ///   - remedy: what the user is told to do then.
  ///   - reports: a directory of reports that it must not be in.
  init(
    path: String, replaces: Bool = true, remedy: String = "name another output", outside reports: String? = nil
  ) throws(RunFailure) {
    self.replaces = replaces
    shown = MessageText.escapedName(FileName.bytes(path))
    var status = stat()
    let exists = path != "-" && FileName.withCString(path) { stat($0, &status) } == 0
    let kind = exists ? status.st_mode & S_IFMT : S_IFREG
    guard kind != S_IFDIR else { throw .outputUnavailable("\(shown): is a directory") }
    guard replaces || !exists || kind != S_IFREG else {
      throw .outputUnavailable("\(shown): exists already; \(remedy)")
    }
    scratchPath = path != "-" && kind == S_IFREG ? path : Self.temporaryPath
    if path == "-" {
      (partial, descriptor) = (nil, STDOUT_FILENO)
    } else if kind == S_IFREG {
      let partial = try PartialFile(path: exists ? Self.resolved(path) : path)
      if let reports, partial.isIn(directory: reports) {
        throw .outputUnavailable(
          "\(shown): is in the directory of reports, which holds nothing else; name another place")
      }
      (self.partial, descriptor) = (partial, -1)
    } else {
      (partial, descriptor) = (nil, FileName.withCString(path) { open($0, O_WRONLY | O_CLOEXEC) })
      guard descriptor >= 0 else {
        throw .outputUnavailable("\(shown): cannot be opened: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// A path among the system's temporary files.
  private static var temporaryPath: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return "\(folder.isEmpty ? "/tmp" : folder)/settle"
  }

  private static func resolved(_ path: String) -> String {
    FileName.withCString(path) { path in
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return FileName.string(
        [UInt8](UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))))
    } ?? path
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RunFailure) {
    if let partial { return try partial.write(bytes) }
    guard let start = bytes.baseAddress else { return }
    try Descriptor.writeAll(
      descriptor, start.assumingMemoryBound(to: UInt8.self), count: bytes.count, name: shown)
  }

  /// Ends the writing: a file gets its name, once it is on its disk.
  func publish() throws(RunFailure) {
    if let partial { return try partial.publish(replaces: replaces) }
    guard descriptor == STDOUT_FILENO || close(descriptor) == 0 else {
      throw .inputOutput("\(shown): cannot be closed: \(String(cString: strerror(errno)))")
    }
  }
}
