import Failures
import Foundation
import LedgerRuns
import Testing
import TestSupport

@testable import RunSupport

/// Reading record by record, compared with lines that are split in the simplest way.
@Suite struct BatchReadingTests {
  /// A record as a visit sees it; without text if it is too long.
  struct Seen: Equatable, CustomStringConvertible {
    let text: [UInt8]
    let length: Int
    let file: String
    let line: Int
    let offset: Int

    var description: String {
      "\(file):\(line)@\(offset) \(length): \(String(decoding: text.prefix(20), as: UTF8.self))"
    }
  }

  private func read(_ paths: [String], chunk: Int = 1 << 20) throws -> [Seen] {
    var seen: [Seen] = []
    try BatchReading.forEachRecord(paths, plainChunkLength: chunk) { record in
      let text = record.isTooLong ? [] : [UInt8](record.text)
      seen.append(
        Seen(text: text, length: record.length, file: record.file, line: record.line, offset: record.offset))
    }
    return seen
  }

  /// What `batch.md` says about lines, without chunks.
  private func expected(_ bytes: [UInt8], file: String) -> [Seen] {
    var seen: [Seen] = []
    var (start, number) = (0, 1)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      var line = bytes[start..<end]
      if end < bytes.count, line.last == 0x0D { line.removeLast() }
      if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
      if line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
        let isTooLong = line.count > 1_048_576
        seen.append(
          Seen(
            text: isTooLong ? [] : Array(line), length: line.count, file: file, line: number, offset: line.startIndex))
      }
      start = end + 1
      number += 1
    }
    return seen
  }

  private static let pieces = [
    "{}", "{\"payKey\":\"A-1\"}", "\n", "\n", "\r\n", "\r", " ", "\t", "[1]", String(repeating: "x", count: 70),
    "\u{FEFF}",
  ]

  @Test func everyChunkLengthGivesTheSameRecords() throws {
    let folder = try BatchFolder()
    var random = SeededGenerator()
    for _ in rounds(200) {
      let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let count = Int.random(in: 0...30, using: &random)
        return (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      }
      let paths = try texts.enumerated().map { try folder.file(Array($1.utf8), "\($0).jsonl") }
      let lines = zip(texts, paths).flatMap { expected(Array($0.utf8), file: $1) }
      for chunk in [1, 2, 3, 7, 64, 1 << 20] {
        #expect(try read(paths, chunk: chunk) == lines, "chunks of \(chunk); \(random.reproduction)")
      }
    }
  }

  @Test func aRecordAtTheLimitIsReadAndOneOverItIsTooLong() throws {
    let folder = try BatchFolder()
    for length in [1_048_575, 1_048_576, 1_048_577, 3_000_000] {
      for ending in ["", "\n", "\r\n"] {
        let bytes = Array(("{}\n" + String(repeating: "y", count: length) + ending).utf8)
        let path = try folder.file(bytes, "long.jsonl")
        #expect(try read([path], chunk: 1000) == expected(bytes, file: path))
        #expect(try read([path]) == expected(bytes, file: path))
      }
    }
  }

  @Test func aCorruptFileFailsBehindItsLastGoodRecord() throws {
    let folder = try BatchFolder()
    let good = try folder.file(Array("{}\n".utf8), "good.jsonl")
    let gzip = try folder.file([0x1F, 0x8B, 8, 0], "batch.gz")
    var count = 0
    do {
      try BatchReading.forEachRecord([good, gzip]) { _ in count += 1 }
      Issue.record("a gzip file was read")
    } catch {
      #expect(error.exitCode == 2)
      #expect(error.message.hasPrefix("CORRUPT_BATCH: \(gzip): "))
    }
    #expect(count == 1)
  }

  @Test func aFrameThatIsNotWhatItSaysEndsTheRecords() throws {
    let folder = try BatchFolder()
    var stored = try Stored.lz4(Array("{}\n{}\n".utf8), blockLength: 5000)
    stored[stored.count - 1] ^= 1
    stored += try Stored.lz4(Array("{}\n".utf8), blockLength: 5000)
    let path = try folder.file(stored, "batch.lz4")
    var count = 0
    #expect(throws: Failure.self) { try BatchReading.forEachRecord([path]) { _ in count += 1 } }
    #expect(count == 2)
  }

  @Test func aFileThatIsNotThereFailsBeforeAnyRecord() throws {
    let folder = try BatchFolder()
    let good = try folder.file(Array("{}\n".utf8), "good.jsonl")
    do {
      try BatchReading.forEachRecord([good, good + ".none"]) { _ in Issue.record("a record was read") }
      Issue.record("a missing file was read")
    } catch {
      #expect(error.exitCode == 66)
    }
  }

  @Test func whatVisitsThrowEndsTheReading() throws {
    let folder = try BatchFolder()
    let path = try folder.file(Array("{}\n{}\n{}".utf8), "batch.jsonl")
    var count = 0
    do {
      try BatchReading.forEachRecord([path], plainChunkLength: 4) { _ throws(Failure) in
        count += 1
        if count == 2 { throw .brokenPipe }
      }
      Issue.record("the failure was lost")
    } catch {
      guard error.kind == .brokenPipe else { throw error }
    }
    #expect(count == 2)
  }

  @Test func aRecordTellsWhatItsTextHolds() throws {
    let folder = try BatchFolder()
    let path = try folder.file(Array("{\"payKey\":\"AP-4711\"}\n{\"payKey\":\"\\u0041P-4711\"}\n".utf8), "batch.jsonl")
    var told: [[Bool]] = []
    try BatchReading.forEachRecord([path]) { record in
      told.append([record.holds(Array("AP-4711".utf8)), record.holds(Array("AP-4712".utf8)), record.hasEscapes])
    }
    #expect(told == [[true, false, false], [false, false, true]])
  }
}

/// A directory of batch files that is removed with its owner.
final class BatchFolder: Sendable {
  let path = NSTemporaryDirectory() + "/batch-run-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = path + "/" + name
    try #require(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
    return file
  }
}
