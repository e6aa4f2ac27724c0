import FileSystem
import Glibc
import SystemPackage

/// A file of a report: the whole report, or a part of a report that is a folder.
struct ReportPart: Sendable {
  /// Its name in the directory of the reports.
  let name: String
  /// Its size in bytes when it was found.
  let size: Int
  /// When it was last modified, in seconds since 1970.
  let modified: Int
  private let file: OpenFile?

  /// - Parameter file: the open file. A part is opened only when it is read, because there may be more parts than a
  ///   process may have open files.
  init(name: String, status: Stat, file: OpenFile? = nil) {
    (self.name, self.file) = (name, file)
    (size, modified) = (Int(status.size), status.st_mtim.tv_sec)
  }

  /// The file, open for reading.
  func opened(in directory: Directory) throws(Errno) -> OpenFile {
    if let file { return file }
    return OpenFile(try directory.open(name, O_RDONLY | O_NONBLOCK), shown: name)
  }
}
