import Foundation

/// Files next to the tests with the exact bytes of expected texts.
///
/// With `SETTLE_RECORD=1` they are rewritten instead. Such a run fails, so that it is not mistaken for a check.
public struct Golden: Sendable {
  /// The environment variable that turns on recording.
  static let environmentVariable = "SETTLE_RECORD"

  private let folder: String

  /// The folder `Golden` next to the calling test file.
  public init(besideTest file: String = #filePath) {
    folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden").path
  }

  /// Compares a text with the file with that name, which may be in a subfolder, or records it.
  ///
  /// - Returns: what is wrong; nil if the text equals the file.
  public func complaint(_ text: [UInt8], name: String) throws -> String? {
    let place = URL(fileURLWithPath: folder).appendingPathComponent(name)
    if ProcessInfo.processInfo.environment[Self.environmentVariable] == "1" {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text).write(to: place)
      return "\(name) was recorded, not checked; run again without \(Self.environmentVariable)"
    }
    guard let data = try? Data(contentsOf: place) else {
      return "there is no \(place.path); record it with \(Self.environmentVariable)=1"
    }
    return Self.firstDifference(of: text, from: [UInt8](data)).map { "\(name) \($0)" }
  }

  /// The first line in which two texts differ, for display; nil if they are equal.
  public static func firstDifference(of got: [UInt8], from expected: [UInt8]) -> String? {
    if got == expected { return nil }
    let gotLines = got.split(separator: 0x0A, omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: 0x0A, omittingEmptySubsequences: false)
    for number in 0..<max(gotLines.count, expectedLines.count) {
      let line = number < gotLines.count ? String(decoding: gotLines[number], as: UTF8.self) : "(no line)"
      let other = number < expectedLines.count ? String(decoding: expectedLines[number], as: UTF8.self) : "(no line)"
      if line != other { return "line \(number + 1): got \(line.prefix(400)), expected \(other.prefix(400))" }
    }
    return "differs in bytes that are not UTF-8"
  }
}
