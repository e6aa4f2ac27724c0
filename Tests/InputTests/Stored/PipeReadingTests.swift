import Foundation
import Testing

@testable import Input

/// Pipes deliver what is available: reads are short, interrupted, or not possible yet.
@Suite(.serialized) struct PipeReadingTests {
  /// A pipe to which a separate thread writes `bytes` in small portions.
  final class Drip {
    let readEnd: Int32
    private let thread: Thread

    init(_ bytes: [UInt8], portions: [Int], pause: UInt32 = 0) {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      readEnd = ends[0]
      let writeEnd = ends[1]
      thread = Thread {
        var start = 0
        var turn = 0
        while start < bytes.count {
          let count = min(portions[turn % portions.count], bytes.count - start)
          let written = bytes.withUnsafeBytes { write(writeEnd, $0.baseAddress! + start, count) }
          if written <= 0 { break }
          start += written
          turn += 1
          if pause > 0 { usleep(pause) }
        }
        close(writeEnd)
      }
      thread.start()
    }

    deinit { close(readEnd) }
  }

  @Test(arguments: [[1], [7, 1, 4096], [65536], [100_000, 3]])
  func plainChunksAreFull(portions: [Int]) throws {
    let text = SampleText.lines.bytes(150_000)
    let drip = Drip(text, portions: portions)
    let outcome = try readAll("/dev/fd/\(drip.readEnd)", plainLength: 66_000)
    #expect(outcome.text == text)
    #expect(outcome.observed == text)
    #expect(outcome.chunkCounts == [66_000, 66_000, 18_000])
  }

  @Test(arguments: [[1], [7, 1, 4096], [100_000, 3]], [false, true])
  func framesArriveWhole(portions: [Int], linked: Bool) throws {
    let text = SampleText.random.bytes(60_000) + SampleText.lines.bytes(60_000)
    let texts = [Array(text.prefix(60_000)), Array(text.dropFirst(60_000))]
    let stored =
      SampleFrame(isLinked: linked, hasBlockChecksums: true, hasContentChecksum: true, texts: texts).bytes
      + SampleFrame.skippable([1, 2, 3])
    let drip = Drip(stored, portions: portions)
    let outcome = try readAll("/dev/fd/\(drip.readEnd)")
    #expect(outcome.corruption == nil)
    #expect(outcome.text == text)
    #expect(outcome.observed == stored)
  }

  @Test func aPipeHasNoSize() throws {
    let drip = Drip([], portions: [1])
    #expect(try StoredBatchFile(path: "/dev/fd/\(drip.readEnd)", observing: nil).storedSize == nil)
  }

  // In separate processes: children that other tests start would inherit this standard input.

  @Test(arguments: [false, true]) func standardInput(blocks: Bool) async {
    await #expect(processExitsWith: .success) { [blocks] in
      let text = SampleText.lines.bytes(3000)
      let drip = Drip(text, portions: [700], pause: 2000)
      if !blocks { #expect(fcntl(drip.readEnd, F_SETFL, O_NONBLOCK) == 0) }
      #expect(dup2(drip.readEnd, STDIN_FILENO) == STDIN_FILENO)
      let outcome = try readAll("-")
      #expect(outcome.text == text)
      #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0, "standard input stays open")
    }
  }

  @Test func standardInputMayBeAFileReadInPart() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let text = SampleText.lines.bytes(3000)
      let descriptor = open(try scratch.file(text), O_RDONLY)
      lseek(descriptor, 1000, SEEK_SET)
      #expect(dup2(descriptor, STDIN_FILENO) == STDIN_FILENO)
      #expect(try StoredBatchFile(path: "-", observing: nil).storedSize == 2000)
      #expect(try readAll("-").text == Array(text.dropFirst(1000)))
    }
  }

  @Test func anInterruptedReadGoesOn() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    var former = sigaction()
    sigaction(SIGUSR1, &action, &former)
    defer { sigaction(SIGUSR1, &former, nil) }
    let text = SampleText.lines.bytes(2000)
    let drip = Drip(text, portions: [100], pause: 3000)
    let reader = Int(bitPattern: UInt(pthread_self()))
    let disturber = Thread {
      for _ in 0..<30 {
        usleep(1000)
        pthread_kill(pthread_t(UInt(bitPattern: reader)), SIGUSR1)
      }
    }
    disturber.start()
    let outcome = try readAll("/dev/fd/\(drip.readEnd)")
    #expect(outcome.text == text)
    while !disturber.isFinished { usleep(1000) }
  }
}
