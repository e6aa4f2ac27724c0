import BatchFile
import BatchRun
import Glibc
import Settlement

/// A settlement directory as it stands: what is in it, and its files opened so that nothing else can be had for them.
package final class ReportFolder {
  /// The most names that are looked at: a settlement directory has seven.
  private static let mostNames = 1000

  private let descriptor: Int32
  private let shownPath: String

  /// Opens a directory; throws where there is none, or it cannot be opened.
  package init(path: String) throws(RunFailure) {
    shownPath = MessageText.escapedName(FileName.bytes(path))
    descriptor = SystemCall.retrying {
      FileName.withCString(path) { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    guard descriptor >= 0 else {
      throw .unreadable("\(shownPath): cannot open the directory: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// The names in the directory as bytes, sorted; of a crowd only some.
  func names() throws(RunFailure) -> [[UInt8]] {
    guard let names = OpenDirectory.nameBytes(descriptor, atMost: Self.mostNames) else {
      throw .unreadable("\(shownPath): cannot be listed: \(String(cString: strerror(errno)))")
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Opens a file of the directory; nil, and a finding, where it is not there or no regular file.
  package func open(_ name: String, _ log: FindingLog) throws(RunFailure) -> ReportLines? {
    // Without waiting: a pipe that stands in a file's place would keep us for ever.
    let file = SystemCall.retrying { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard file >= 0 else {
      switch errno {
      case ENOENT: log.add(ReportFinding(name, "is missing"))
      case ELOOP: log.add(ReportFinding(name, "is a symbolic link; a report is a file of its own"))
      case ENXIO, ENODEV: log.add(ReportFinding(name, "is no regular file"))
      default: throw .unreadable("\(shownPath)/\(name): cannot be opened: \(String(cString: strerror(errno)))")
      }
      return nil
    }
    var status = stat()
    guard SystemCall.retrying({ fstat(file, &status) }) == 0 else {
      let reason = String(cString: strerror(errno))
      close(file)
      throw .unreadable("\(shownPath)/\(name): cannot be examined: \(reason)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      log.add(ReportFinding(name, "is no regular file"))
      return nil
    }
    return ReportLines(
      name: name, descriptor: file, size: Int(status.st_size), shownPath: "\(shownPath)/\(name)")
  }
}
