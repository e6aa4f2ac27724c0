import ArgumentParser
import BatchRun
import FileSystem
import Glibc

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
  ///   - replaces: whether it takes the place of a file that is there; else it throws if there is one.
  ///   - remedy: what the user is told to do then.
  ///   - reports: a directory of reports that it must not be in.
  init(
    path: String, replaces: Bool, remedy: String = "name another output", outside reports: String? = nil
  ) throws(RunFailure) {
    self.replaces = replaces
    shown = OutputPlace.shown(path)
    let found = path == "-" ? nil : (try? FileName.status(path))?.type
    let kind = found ?? .regular
    guard kind != .directory else { throw .outputUnavailable("\(shown): is a directory") }
    guard replaces || found != .regular else {
      throw .outputUnavailable("\(shown): exists already; \(remedy)")
    }
    scratchPath = path != "-" && kind == .regular ? path : Self.temporaryPath
    if path == "-" {
      (partial, descriptor) = (nil, STDOUT_FILENO)
    } else if kind == .regular {
      let partial = try asRunFailure(PartialFile(path: (try? FileName.resolved(path)) ?? path))
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

  /// Throws if a batch to be made has the ending of a compressed format that settle does not write.
  static func expectWritable(_ path: String) throws {
    let endings = [".gz", ".tgz", ".bz2", ".xz", ".lzma", ".zst", ".br", ".zip", ".7z"]
    if let ending = endings.first(where: path.lowercased().hasSuffix) {
      throw ValidationError("A file is written plain, or as LZ4 if its name ends in .lz4; never as \(ending).")
    }
  }

  /// A path in the directory for what lies beside no output.
  static var temporaryPath: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return "\(folder.isEmpty ? "/tmp" : folder)/settle"
  }

  /// Writes more bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RunFailure) {
    if let partial { return try asRunFailure(partial.write(bytes)) }
    guard let start = bytes.baseAddress else { return }
    try asRunFailure(
      OpenFile.writeAll(
        descriptor, start.assumingMemoryBound(to: UInt8.self), count: bytes.count, name: shown))
  }

  /// Ends the writing: a file gets its name, once it is on its disk.
  func publish() throws(RunFailure) {
    if let partial { return try asRunFailure(partial.publish(replaces: replaces)) }
    guard descriptor == STDOUT_FILENO || close(descriptor) == 0 else {
      throw .inputOutput("\(shown): cannot be closed: \(String(cString: strerror(errno)))")
    }
  }

  /// Has a body write all of the file piece by piece, and ends the writing.
  func write<Result>(
    _ body: (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Result
  ) throws(RunFailure) -> Result {
    do {
      let result = try body { try write($0) }
      try publish()
      return result
    } catch {
      throw error as? RunFailure ?? .inputOutput("\(shown): \(error)")
    }
  }

  /// Has a body write all of what may be no part of it: where no file is made, nothing is written before the body is done.
  func writeWhole<Result>(
    _ body: (_ write: @escaping (UnsafeRawBufferPointer) throws(RunFailure) -> Void) throws(RunFailure) -> Result
  ) throws(RunFailure) -> Result {
    let result: Result
    if partial != nil {
      result = try body { bytes throws(RunFailure) in try self.write(bytes) }
    } else {
      let spool = try makeSpool(beside: scratchPath)
      result = try body { bytes throws(RunFailure) in
        try asRunFailure(spool.append(bytes.assumingMemoryBound(to: UInt8.self).baseAddress!, count: bytes.count))
      }
      var offset = 0
      while let piece = try asRunFailure(spool.piece(at: offset)) {
        try write(piece)
        offset += piece.count
      }
    }
    try publish()
    return result
  }
}
