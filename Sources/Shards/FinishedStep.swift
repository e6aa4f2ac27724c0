import Failures
import FileSystem
import Glibc
import SystemPackage

/// A step that is done. Its files are compared with their digests as they are read.
final class FinishedStep {
  static let sums = "SHA256SUMS"
  let work: ShardWork
  let name: String
  /// The SHA-256 of each file, in hexadecimal digits.
  let digests: [String: String]

  init(_ name: String, in work: ShardWork) throws(Failure) {
    self.work = work
    self.name = name
    let shown = work.shown("\(name)/\(Self.sums)")
    func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(work.advice(name))") }
    let text: [UInt8]
    do throws(Errno) {
      text = try OpenFile(work.directory.open("\(name)/\(Self.sums)", O_RDONLY), shown: shown).bytes(atMost: 1 << 24)
    } catch {
      throw .inputOutput("\(shown): cannot be read: \(error); \(work.advice(name))")
    }
    var digests: [String: String] = [:]
    for line in text.split(separator: 0x0A) {
      let parts = String(decoding: line, as: UTF8.self).components(separatedBy: "  ")
      guard parts.count == 2, parts[0].utf8.count == 64 else {
        throw damage("it is not a list of digests")
      }
      digests[parts[1]] = parts[0]
    }
    guard text.last == 0x0A else { throw damage("it was cut short") }
    self.digests = digests
  }

  func digest(of file: String) throws(Failure) -> String {
    guard let digest = digests[file] else {
      throw .inputOutput(
        "\(work.shown("\(name)/\(Self.sums)")): is damaged: it does not name \(file); \(work.advice(name))")
    }
    return digest
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - isChecked: whether it is compared with its digest as it is read; if not, `StepChecks` does it.
  ///   - isHashedApart: whether its digest may have a thread of its own.
  func open(
    _ file: String, bufferLength: Int = 1 << 16, isChecked: Bool = true, isHashedApart: Bool = false
  ) throws(Failure) -> StepReader {
    let digest = try digest(of: file)
    return StepReader(
      work, "\(name)/\(file)", digest: isChecked ? digest : nil, bufferLength: bufferLength,
      isHashedApart: isHashedApart)
  }

  func contents(_ file: String) throws(Failure) -> [UInt8] {
    let reader = try open(file)
    var bytes: [UInt8] = []
    while let piece = try reader.piece() { bytes.append(piece) }
    return bytes
  }

  func json(_ file: String) throws(Failure) -> ShardJSON {
    try ShardJSON(
      contents(file), shown: work.shown("\(name)/\(file)"), plan: work.plan.digest, advice: work.advice(name))
  }

  /// Whether this process has compared a file with its digest already.
  func isVerified(_ file: String) -> Bool {
    work.verified.withLock { $0.contains("\(name)/\(file)" + (digests[file] ?? "")) }
  }

  /// Reads a file to compare it with its digest.
  func verify(_ file: String) throws(Failure) {
    let reader = try open(file, bufferLength: 1 << 18)
    try reader.skipRest()
  }
}
