import ArgumentParser
import Console
import Failures
import FileSystem
import SystemPackage

/// What a command writes: a file, all or nothing; or standard output, a pipe or a device, piece by piece.
final class OutputFile {
  /// The name for messages.
  let shown: String
  private let partial: PartialFile?
  /// What is written if there is no file to make.
  private let descriptor: FileDescriptor
  private let replaces: Bool
  /// A path in a directory with room for a file as large as this one.
  let scratchPath: String

  /// - Parameters:
  ///   - path: a path, where a link means its target; or `-` for standard output.
  ///   - replaces: whether to replace an existing file; otherwise it throws if there is one.
  ///   - remedy: the advice at the end of that message.
  ///   - reports: a directory of reports that must not contain the file.
  init(
    path: String, replaces: Bool, remedy: String = "name another output", outside reports: String? = nil
  ) throws(Failure) {
    self.replaces = replaces
    shown = OutputPlace.shown(path)
    let found = path == "-" ? nil : (try? FileName.status(path))?.type
    let kind = found ?? .regular
    guard kind != .directory else { throw .unavailable("\(shown): is a directory") }
    guard replaces || found != .regular else {
      throw .unavailable("\(shown): exists already; \(remedy)")
    }
    scratchPath = path != "-" && kind == .regular ? path : Self.temporaryPath
    if path == "-" {
      (partial, descriptor) = (nil, .standardOutput)
    } else if kind == .regular {
      let partial = try PartialFile(path: (try? FileName.resolved(path)) ?? path)
      if let reports, partial.isIn(directory: reports) {
        throw .unavailable(
          "\(shown): is in the directory of reports, which holds nothing else; name another place")
      }
      (self.partial, descriptor) = (partial, .standardOutput)
    } else {
      (partial, descriptor) = (nil, try preparing(shown, "opened", OpenFile.descriptor(writing: path)))
    }
  }

  /// Throws if the name of a batch to be made has the ending of a compressed format that settle does not write.
  static func expectWritable(_ path: String) throws {
    let endings = [".gz", ".tgz", ".bz2", ".xz", ".lzma", ".zst", ".br", ".zip", ".7z"]
    if let ending = endings.first(where: path.lowercased().hasSuffix) {
      throw ValidationError("A file is written plain, or as LZ4 if its name ends in .lz4; never as \(ending).")
    }
  }

  /// A path in the directory for temporary files without an output next to them.
  static var temporaryPath: String {
    let folder = Terminal.variable("TMPDIR", or: "")
    return "\(folder.isEmpty ? "/tmp" : folder)/settle"
  }

  /// Writes more bytes.
  func write(_ bytes: Span<UInt8>) throws(Failure) {
    if let partial { return try partial.write(bytes) }
    try OpenFile.writeAll(descriptor, bytes, name: shown)
  }

  /// Ends the writing: a file gets its name once it is on the disk.
  func publish() throws(Failure) {
    if let partial { return try partial.publish(replaces: replaces) }
    if descriptor != .standardOutput { try using(shown, "closed", systemCall(throwing: { try descriptor.close() })) }
  }

  /// Runs a body that writes the file piece by piece, and ends the writing.
  func write<Result>(
    _ body: (_ write: (Span<UInt8>) throws -> Void) throws -> Result
  ) throws(Failure) -> Result {
    do {
      let result = try body { try write($0) }
      try publish()
      return result
    } catch {
      throw error as? Failure ?? .inputOutput("\(shown): \(error)")
    }
  }

  /// Runs a body whose output must not be written in part: if no file is made, nothing is written until the body is
  /// done.
  func writeWhole<Result>(
    _ body: (_ write: @escaping (Span<UInt8>) throws(Failure) -> Void) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Result
    if partial != nil {
      result = try body { bytes throws(Failure) in try self.write(bytes) }
    } else {
      let spool = try SpoolFile(beside: scratchPath)
      result = try body { bytes throws(Failure) in try spool.append(bytes) }
      try spool.forEachPiece { piece throws(Failure) in try write(piece) }
    }
    try publish()
    return result
  }
}
