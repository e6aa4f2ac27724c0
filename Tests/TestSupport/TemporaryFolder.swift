import Foundation

/// A new folder in the system's directory for temporary files. It is removed with the object.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes the folder.
  public init() throws {
    // In a folder of its own: payouts are looked for in the siblings of a folder, too.
    let outer = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("settle-" + UUID().uuidString)
    path = outer.appendingPathComponent("folder").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent()) }

  /// The path of something in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// The bytes of a file in the folder.
  public func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The sorted names in the folder, or in a subfolder.
  public func names(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}
