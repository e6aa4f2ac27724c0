import Glibc
import SystemPackage

/// File names as they are: bytes, which need not be UTF-8.
///
/// A name that is not UTF-8 becomes a string in which each byte from 0x80 on is the private-use character U+10F700 plus
/// the byte. A name that contains such characters itself is encoded the same way, so that every name can be converted
/// back.
///
/// (Unsafe: the system gets names that end in a zero byte, and `realpath` returns one.)
public enum FileName {
  private static let base: UInt32 = 0x10F700

  /// The string for a name's bytes.
  public static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isByte) { return text }
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append(byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(base + UInt32(byte))!)
    }
    return String(scalars)
  }

  /// The bytes for a name's string.
  public static func bytes(_ string: String) -> [UInt8] {
    string.unicodeScalars.flatMap { scalar in
      isByte(scalar) ? [UInt8(scalar.value & 0xFF)] : Array(UTF8.encode(scalar)!)
    }
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value & ~0xFF == base }

  /// Calls `body` with a name as the system expects it.
  public static func withCString<Result>(_ string: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes(string) + [0]).withUnsafeBufferPointer { name in
      unsafe name.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress!) }
    }
  }

  /// The absolute path of a file, with all links resolved; throws if it does not exist.
  public static func resolved(_ path: String) throws(Errno) -> String {
    guard let real = unsafe withCString(path, { unsafe realpath($0, nil) }) else { throw Errno(rawValue: errno) }
    defer { unsafe free(real) }
    return unsafe string(UnsafeBufferPointer(start: real, count: strlen(real)).map(UInt8.init(bitPattern:)))
  }

  public static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try systemCall { unsafe withCString(path) { unsafe Glibc.open($0, flags, mode) } })
  }

  /// Throws if this user may not read the file at a path, or write it if that is asked; follows links.
  public static func expectAccess(_ path: String, forWriting: Bool = false) throws(Errno) {
    let use = forWriting ? R_OK | W_OK : R_OK
    try systemCall { unsafe withCString(path) { unsafe access($0, use) } }
  }

  public static func remove(_ path: String) throws(Errno) {
    try systemCall { unsafe withCString(path) { unsafe unlink($0) } }
  }

  /// Makes a directory, for this user only.
  public static func makeDirectory(_ path: String) throws(Errno) {
    try systemCall { unsafe withCString(path) { unsafe mkdir($0, 0o700) } }
  }

  /// The status of the file at a path, following links; throws if it does not exist.
  public static func status(_ path: String) throws(Errno) -> Stat {
    unsafe try Stat(withCString(path) { unsafe FilePath(platformString: $0) })
  }
}
