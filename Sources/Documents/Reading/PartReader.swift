import Failures
import FileSystem
import SystemPackage

/// Reads the parts of a report, one after the other, and hashes each if digests are wanted.
package class PartReader: LineReader {
  /// The SHA-256 of each part that is read.
  package private(set) final var digests: [(name: String, digest: String)] = []
  private final var partsLeft: ArraySlice<ReportPart>
  /// The current part, open, and the bytes read of it.
  private final var open: (file: OpenFile, part: ReportPart, bytesRead: Int)?
  private final let directory: Directory
  private final let shownPath: String

  init(_ parts: [ReportPart], in directory: Directory, shownPath: String, isHashed: Bool) {
    partsLeft = parts[...]
    self.directory = directory
    self.shownPath = shownPath
    super.init(pieceLength: 1 << 20, isHashed: isHashed)
  }

  package override final func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    while true {
      if open == nil { open = try openPart() }
      guard let (file, part, bytesRead) = open else { return }
      do throws(Errno) { try file.descriptor.read(into: &room) } catch {
        throw .inputOutput("\(shownPath): cannot be read: \(error)")
      }
      let read = bytesRead + room.count
      guard room.isEmpty ? read == part.size : read <= part.size else {
        throw .inputOutput("\(shownPath): had \(part.size) bytes, and \(read) could be read; it is being changed")
      }
      open = (file, part, read)
      if !room.isEmpty { return }
      if isHashed { digests.append((part.name, finishDigest())) }
      open = nil
    }
  }

  private final func openPart() throws(Failure) -> (file: OpenFile, part: ReportPart, bytesRead: Int)? {
    guard let part = partsLeft.popFirst() else { return nil }
    do throws(Errno) { return (try part.opened(in: directory), part, 0) } catch {
      throw .inputOutput("\(shownPath): \(digests.isEmpty ? "cannot be read" : "a part cannot be read"): \(error)")
    }
  }
}
