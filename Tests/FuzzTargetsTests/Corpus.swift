import Foundation
import FuzzTargets

/// The inputs under `Tests/Fuzzing/Corpus`, a folder for each target.
enum Corpus {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzzing/Corpus")

  /// A target's inputs by name, in order.
  static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appendingPathComponent(target.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }
}
