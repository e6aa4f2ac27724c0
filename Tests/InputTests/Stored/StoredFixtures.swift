import Foundation
import TestSupport
import Testing

@testable import Input

/// The result of reading a whole file.
struct Outcome {
  var text: [UInt8] = []
  var corruption: CorruptBatch?
  var observed: [UInt8] = []
  var chunkCounts: [Int] = []
}

/// A directory that is removed with its object.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/stored-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ bytes: [UInt8], _ name: String = "batch") throws -> String {
    let file = path + "/" + name
    try #require(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
    return file
  }
}

/// Reads a file to its end like the engine, and checks each chunk's guarantees on the way.
func readAll(_ path: String, plainLength: Int = 1 << 20, blocksLength: Int = 4 << 20) throws -> Outcome {
  var outcome = Outcome()
  // Alternates between two chunks: nothing may depend on a chunk's previous contents.
  let chunks = (0..<2).map { _ in TextChunk(plainLength: plainLength, blocksLength: blocksLength) }
  let verifier = ContentVerifier()
  let observed = Collected()
  let file = try StoredBatchFile(path: path) { observed.bytes += [UInt8]($0) }
  var wasLast = false
  while try file.readNext(into: chunks[outcome.chunkCounts.count % 2]) {
    let chunk = chunks[outcome.chunkCounts.count % 2]
    #expect(!wasLast, "a chunk came after the last")
    memset(chunk.text - TextChunk.headroom, 0xEE, TextChunk.headroom)
    chunk.expand()
    memset(chunk.text + chunk.count, 0xEE, TextChunk.padding)
    #expect(chunk.file == path)
    #expect(chunk.count <= max(plainLength, blocksLength, 4 << 20))
    outcome.chunkCounts.append(chunk.count)
    outcome.text.append(chunk.span)
    wasLast = chunk.isLastOfFile
    outcome.corruption = verifier.verify(chunk)
    if outcome.corruption != nil { break }
  }
  if outcome.corruption == nil {
    #expect(wasLast || outcome.chunkCounts.isEmpty)
    #expect(try !file.readNext(into: chunks[0]), "nothing follows the end")
    #expect(chunks[0].count == 0)
    #expect(file.storedBytesRead == UInt64(observed.bytes.count))
  }
  outcome.observed = observed.bytes
  return outcome
}

func readAll(
  bytes: [UInt8], plainLength: Int = 1 << 20, blocksLength: Int = 4 << 20
) throws -> Outcome {
  let scratch = try Scratch()
  return try withExtendedLifetime(scratch) {
    try readAll(scratch.file(bytes), plainLength: plainLength, blocksLength: blocksLength)
  }
}

final class Collected {
  var bytes: [UInt8] = []
}

/// Texts of different kinds; the same for the same arguments.
enum SampleText: String, CaseIterable, Sendable {
  case repetitive, lines, random

  func bytes(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(count) + 11)
    switch self {
    case .repetitive: return [UInt8](repeating: 0x61, count: count)
    case .random:
      let words = (0..<(count / 8 + 1)).map { _ in generator.next() }
      return Array(words.withUnsafeBytes { $0.prefix(count) })
    case .lines:
      var text: [UInt8] = []
      text.reserveCapacity(count + 128)
      while text.count < count {
        let number = String(generator.next(), radix: 36)
        text.append(contentsOf: "{\"payKey\":\"AP-\(number)\",\"recipient\":\"shop@example.com\"}\n".utf8)
      }
      return Array(text.prefix(count))
    }
  }
}

/// The lz4 command, if it is installed.
enum LZ4Command {
  static let path = ["/usr/bin/lz4", "/usr/local/bin/lz4"].first(where: FileManager.default.isExecutableFile(atPath:))

  static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// `text`, compressed with `options`.
  static func compress(_ text: [UInt8], _ options: [String]) throws -> [UInt8] {
    let scratch = try Scratch()
    let source = try scratch.file(text, "text")
    try run(["-q", "-f"] + options + [source, scratch.path + "/stored"])
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/stored")))
  }
}
