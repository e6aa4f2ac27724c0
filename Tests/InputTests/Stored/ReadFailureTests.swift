import Failures
import Foundation
import Testing

@testable import Input

@Suite struct ReadFailureTests {
  @Test func aMissingFile() throws {
    let failure = #expect(throws: Failure.self) { try StoredBatchFile(path: "/nonexistent/batch", observing: nil) }
    #expect(failure == .unreadable("/nonexistent/batch: cannot open the file: No such file or directory"))
  }

  @Test func aFailureLeavesNothingOpen() throws {
    let scratch = try Scratch()
    for _ in 0..<10 {
      let failure = #expect(throws: Failure.self) { try StoredBatchFile(path: scratch.path, observing: nil) }
      #expect(failure?.kind == .unreadable)
    }
    let folder = URL(fileURLWithPath: scratch.path).lastPathComponent
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(open.filter { $0.hasSuffix(folder) } == [])
  }

  @Test func aDirectory() throws {
    let failure = #expect(throws: Failure.self) { try StoredBatchFile(path: "/tmp", observing: nil) }
    #expect(
      failure == .unreadable("/tmp: cannot open the file: it is a directory, where a batch file was expected"))
  }

  /// The first page of any process's memory cannot be read: EIO.
  @Test func anErrorOfTheDevice() throws {
    let file = try StoredBatchFile(path: "/proc/self/mem", observing: nil)
    let chunk = TextChunk()
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) { try file.readNext(into: chunk) }
      #expect(failure == .inputOutput("/proc/self/mem: cannot read the file: Input/output error"))
    }
  }

  @Test(arguments: [false, true]) func aFileCutWhileItIsRead(compressed: Bool) throws {
    let scratch = try Scratch()
    let text = SampleText.random.bytes(600_000)
    let texts = stride(from: 0, to: text.count, by: 60_000).map { Array(text[$0..<($0 + 60_000)]) }
    let path = try scratch.file(compressed ? SampleFrame(texts: texts).bytes : text)
    let file = try StoredBatchFile(path: path, observing: nil)
    let chunk = TextChunk(plainLength: 100_000, blocksLength: 100_000)
    #expect(try UInt64(#require(file.storedSize)) >= 600_000)
    #expect(try file.readNext(into: chunk))
    #expect(truncate(path, 300_000) == 0)
    let failure = #expect(throws: Failure.self) { while try file.readNext(into: chunk) {} }
    #expect(failure?.kind == .inputOutput)
    #expect(failure?.message.contains("ended after 300000") == true)
    #expect(throws: Failure.self) { try file.readNext(into: chunk) }
  }

  enum Change: CaseIterable {
    case appended, appendedAtTheEnd, rewritten, touched
  }

  @Test(arguments: Change.allCases) func aFileChangedWhileItIsRead(change: Change) throws {
    let scratch = try Scratch()
    let path = try scratch.file(SampleText.lines.bytes(200_000))
    // Long ago, so that a change now is visible even with a coarse file system clock.
    #expect(utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) == 0)
    let file = try StoredBatchFile(path: path, observing: nil)
    let chunk = TextChunk(plainLength: 100_000)
    #expect(try file.readNext(into: chunk))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    switch change {
    case .appended:
      handle.seekToEndOfFile()
      handle.write(Data(repeating: 0x20, count: 100_000))
    case .appendedAtTheEnd:
      handle.seekToEndOfFile()
      handle.write(Data([0x20]))
    case .rewritten: handle.write(Data(repeating: 0x20, count: 10))
    case .touched: #expect(utimes(path, nil) == 0)
    }
    let failure = #expect(throws: Failure.self) { while try file.readNext(into: chunk) {} }
    let reason = "it was changed while it was read; wait until its writer is done"
    #expect(failure == .inputOutput("\(path): cannot read the file: \(reason)"))
  }

  @Test func aFileReplacedWhileItIsReadIsTheOneThatWasOpened() throws {
    let scratch = try Scratch()
    let path = try scratch.file(SampleText.lines.bytes(200_000))
    let file = try StoredBatchFile(path: path, observing: nil)
    let chunk = TextChunk(plainLength: 100_000)
    #expect(try file.readNext(into: chunk))
    try Data(repeating: 0x20, count: 10).write(to: URL(fileURLWithPath: path), options: .atomic)
    var count = chunk.count
    while try file.readNext(into: chunk) { count += chunk.count }
    #expect(count == 200_000)
  }
}
