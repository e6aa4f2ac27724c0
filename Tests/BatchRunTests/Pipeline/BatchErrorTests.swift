import Failures
import Rules
import Testing

@testable import BatchRun
@testable import LedgerRuns
@testable import RunSupport
import Documents

@Suite("Batch errors end a run, wherever chunks end")
struct BatchErrorTests {
  static let header = #"{"type":"header"}"#
  static let trailer = #"{"type":"trailer","recordCount":1,"totals":{"USD":10}}"#

  static func refundTrailer(_ refunded: String?) -> String {
    #"{"type":"trailer","recordCount":2,"totals":{"USD":10}\#(refunded.map { #","refundTotals":{"USD":\#($0)}"# } ?? "")}"#
  }

  struct Example: Sendable {
    var lines: [String]
    var code: String
    var line: Int?
    var reason: String
    var requiresTrailer = false
    var mostRejected = ""

    var options: RunOptions {
      var options = RunOptions(threads: 1)
      options.requiresTrailer = requiresTrailer
      options.mostRejected = RejectionLimit(mostRejected)
      return options
    }
  }

  static let examples = [
    Example(
      lines: [Line.payment("A"), "", header], code: "HEADER_NOT_FIRST", line: 3,
      reason: "a header after other records; expected it first"),
    Example(
      lines: [Line.payment("A"), trailer, "", Line.payment("B"), Line.payment("C")], code: "TRAILER_NOT_LAST",
      line: 4, reason: "a record follows the trailer of line 2; expected the trailer last"),
    Example(
      lines: [Line.payment("A"), Line.payment("B"), trailer, "nonsense", trailer], code: "TRAILER_NOT_LAST", line: 4,
      reason: "a record follows the trailer of line 3; expected the trailer last"),
    Example(
      lines: [trailer, trailer], code: "TRAILER_NOT_LAST", line: 2,
      reason: "a second trailer after that of line 1"),
    Example(
      lines: [#"{"type":"header","batchId":5}"#], code: "INVALID_HEADER", line: 1,
      reason: #"batchId is "5"; expected 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen"#),
    Example(
      lines: [Line.payment("A"), #"{"type":"trailer","recordCount":1}"#], code: "INVALID_TRAILER", line: 2,
      reason: "totals is missing; expected an object of currency codes with amounts of zero or more"),
    // Thrown at the end, but it is the first in reading order.
    Example(
      lines: [Line.payment("A"), #"{"type":"trailer","recordCount":1}"#, Line.payment("B"), header],
      code: "INVALID_TRAILER", line: 2,
      reason: "totals is missing; expected an object of currency codes with amounts of zero or more"),
    Example(
      lines: [#"{"type":"trailer","recordCount":1}"#, #"{"type":"trailer"}"#], code: "INVALID_TRAILER", line: 1,
      reason: "totals is missing; expected an object of currency codes with amounts of zero or more"),
    Example(
      lines: ["5", #"{"type":"trailer","recordCount":1}"#], code: "INVALID_TRAILER", line: 2,
      reason: "totals is missing; expected an object of currency codes with amounts of zero or more",
      mostRejected: "0%"),
    Example(
      lines: ["5", "5", #"{"type":"trailer","recordCount":1}"#], code: "TOO_MANY_REJECTED", reason: tooMany,
      mostRejected: "1"),
    Example(
      lines: [header, Line.payment("A")], code: "TRAILER_MISSING",
      reason: "the batch has a header (line 1) but no trailer; it was cut short"),
    Example(
      lines: ["", header, trailer], code: "CONTROL_COUNT_MISMATCH", line: 3,
      reason: "the trailer counts 1 record, 0 were read; 0 of 0 records have no control amount"),
    Example(
      lines: [Line.payment("A", "11"), trailer], code: "CONTROL_TOTAL_MISMATCH", line: 2,
      reason: "the trailer sums 10.00 USD, 11.00 USD were read; 0 of 1 record have no control amount"),
    Example(
      lines: [Line.payment("A"), Line.refund, refundTrailer("3.99")], code: "CONTROL_TOTAL_MISMATCH", line: 3,
      reason: "the trailer sums 3.99 USD of refunds, 4.00 USD were read; 0 of 2 records have no control amount"),
    // If they are left out, the message says that they are zero.
    Example(
      lines: [Line.payment("A"), Line.refund, refundTrailer(nil)], code: "CONTROL_TOTAL_MISMATCH", line: 3,
      reason: "the trailer sums 0.00 USD of refunds, 4.00 USD were read; 0 of 2 records have no control amount"),
    Example(
      lines: ["", "<html>", "<body>"], code: "NOT_A_BATCH",
      reason: #"none of the 2 records can be read as a JSON object; it begins with "<html>": a web page, or XML"#,
      requiresTrailer: true, mostRejected: "0%"),
    Example(
      lines: [Line.payment("A")], code: "TRAILER_MISSING",
      reason: "the batch has no trailer, and one is required; it was cut short, or is another file",
      requiresTrailer: true),
    Example(
      lines: [""], code: "TRAILER_MISSING",
      reason: "the batch has no trailer, and one is required; it was cut short, or is another file",
      requiresTrailer: true),
    // As soon as it is known, and before later errors; a repeated pay key counts, too.
    Example(
      lines: [Line.payment("A"), "5", Line.payment("A"), header], code: "TOO_MANY_REJECTED", reason: tooMany,
      mostRejected: "1"),
    Example(
      lines: [Line.payment("A"), "5", header, "5"], code: "HEADER_NOT_FIRST", line: 3,
      reason: "a header after other records; expected it first", mostRejected: "1"),
    Example(
      lines: [header, "5", "5", "5"], code: "TOO_MANY_REJECTED", reason: tooMany, requiresTrailer: true,
      mostRejected: "1"),
    Example(lines: ["5", "5"], code: "TOO_MANY_REJECTED", reason: tooMany, mostRejected: "1"),
    // At the end, and after everything else.
    Example(
      lines: ["5", Line.payment("A"), Line.payment("A")], code: "TOO_MANY_REJECTED",
      reason: "2 of 3 records are rejected, expected at most 66 %; settle validate says why", mostRejected: "66%"),
    Example(
      lines: ["5", "5", trailer], code: "CONTROL_COUNT_MISMATCH", line: 3,
      reason: "the trailer counts 1 record, 2 were read; 2 of 2 records have no control amount", mostRejected: "0%"),
  ]
  static let tooMany = "more than 1 of the records are rejected; settle validate says why"

  @Test("the first one in reading order, with its line", arguments: examples, [1, 7, 64, 1 << 20])
  func errors(_ example: Example, chunk: Int) throws {
    for threads in [1, 3] {
      let workshop = try Workshop()
      let settled = try workshop.settle(
        [Array(example.lines.joined(separator: "\n").utf8)], threads: threads, chunk: chunk, options: example.options)
      let failure = try #require(settled.failure)
      #expect(failure.exitCode == 2)
      let place =
        example.code == "TOO_MANY_REJECTED"
        ? "" : workshop.folder.path("batch") + (example.line.map { ":\($0)" } ?? "") + ": "
      #expect(failure.message == "\(example.code): \(place)\(example.reason)")
      #expect(try workshop.folder.names() == ["batch"], "something is left behind")
    }
  }

  @Test("as many rejected records as are allowed, and a required trailer that exists")
  func withinLimits() throws {
    for limit in ["1", "50%"] {
      var options = RunOptions(threads: 2)
      (options.requiresTrailer, options.mostRejected) = (true, RejectionLimit(limit))
      let lines = [Line.payment("A"), "5", #"{"type":"trailer","recordCount":2,"totals":{"USD":10}}"#]
      let settled = try Workshop().settle(
        [Array(lines.joined(separator: "\n").utf8)], threads: 2, chunk: 7, options: options)
      #expect(settled.result?.totals[.rejected] == 1)
    }
  }

  @Test("for a batch with too many rejected records, little is written")
  func boundsWhatIsWritten() throws {
    let workshop = try Workshop()
    let text = Array(String(repeating: "5\n", count: 3_000_000).utf8)
    try workshop.folder.write(text, to: "batch")
    var options = RunOptions(threads: 2)
    options.mostRejected = .records(1000)
    var written = 0
    #expect(throws: Failure.self) {
      _ = try BatchRun.validate(
        [workshop.folder.path("batch")], findings: FindingsList(.text), options: options,
        output: { written += $0.count })
    }
    #expect(written > 0 && written < 16 << 20)
  }

  @Test("a trailer that sums payments and refunds as they were read")
  func agrees() throws {
    let settled = try Workshop().settle(
      [Line.payment("A"), Line.refund, Self.refundTrailer("4.00")].joined(separator: "\n"))
    #expect(settled.result?.controlTotals == .verified)
  }

  @Test("control totals that only cause a warning")
  func warns() throws {
    let text = [Line.payment("A", "11"), Self.trailer].joined(separator: "\n")
    let settled = try Workshop().settle([Array(text.utf8)], enforcesControlTotals: false)
    #expect(settled.failure == nil)
    #expect(settled.result?.controlMismatch?.code == .controlTotalMismatch)
    #expect(settled.text("summary.json").contains(#""controlTotals":"mismatch""#))
    // Then only the figures may be wrong, not the order.
    let cut = try Workshop().settle([Array(Self.header.utf8)], enforcesControlTotals: false)
    #expect(cut.failure?.exitCode == 2)
  }

  @Test("the header is in the first file, the trailer in the last")
  func spansFiles() throws {
    let good = [Self.header, Line.payment("A"), Self.trailer].map { Array($0.utf8) }
    #expect(try Workshop().settle(good).failure == nil)
    let late = try Workshop().settle([good[1], good[0], good[2]])
    #expect(late.failure?.message.hasPrefix("HEADER_NOT_FIRST: ") == true)
    #expect(late.failure?.message.contains("batch2:1: ") == true)
    let early = try Workshop().settle([good[0], good[2], good[1]])
    #expect(early.failure?.message.contains("batch3:1: a record follows the trailer of line 1") == true)
  }

  static let foreign: [(bytes: [UInt8], word: String)] = [
    ([0x1F, 0x8B, 8, 0], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), (Array("BZh9".utf8), "bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"), ([0x50, 0x4B, 3, 4], "zip"),
  ]

  @Test("files of other formats", arguments: foreign)
  func refusesForeign(bytes: [UInt8], word: String) throws {
    let settled = try Workshop().settle([bytes])
    #expect(settled.failure?.exitCode == 2)
    #expect(settled.failure?.message.hasPrefix("CORRUPT_BATCH: ") == true)
    #expect(settled.failure?.message.contains(word) == true)
  }

  @Test("LZ4 that is cut or changed, anywhere", arguments: [1, 2])
  func refusesDamage(threads: Int) throws {
    let workshop = try Workshop()
    let text = Array((0..<40).map { Line.payment("K\($0)") }.joined(separator: "\n").utf8)
    let stored = try Stored.lz4(text, blockLength: 500)
    for place in stride(from: 1, to: stored.count, by: 11) {
      let cut = try workshop.settle([Array(stored[..<place])], threads: threads)
      #expect(cut.failure?.message.hasPrefix("CORRUPT_BATCH: ") == true, "cut at \(place)")
      guard place >= 4 else { continue }
      var changed = stored
      changed[place] ^= 0x10
      let broken = try workshop.settle([changed], threads: threads)
      #expect(broken.failure?.exitCode == 2, "changed at \(place)")
    }
    #expect(try workshop.folder.names() == ["batch"])
  }

  @Test("in reading order: a misplaced header before the damage is reported, one after it is not")
  func ordersDamage() throws {
    let early = Array("\(Line.payment("A"))\n\(Self.header)\n".utf8)
    let frame = try Stored.lz4(early, blockLength: 1000)
    let settled = try Workshop().settle([frame + frame.dropLast(3)])
    #expect(settled.failure?.message.hasPrefix("HEADER_NOT_FIRST") == true)
    let fine = try Stored.lz4(Array(Line.payment("A").utf8), blockLength: 1000)
    let late = try Workshop().settle([fine.dropLast(5), Array("x\n\(Self.header)".utf8)])
    #expect(late.failure?.message.hasPrefix("CORRUPT_BATCH") == true)
    let invalid = Array("\(Line.payment("A"))\n{\"type\":\"trailer\"}\n".utf8)
    let trailer = try Workshop().settle([try Stored.lz4(invalid, blockLength: 1000).dropLast(3)])
    #expect(trailer.failure?.message.hasPrefix("INVALID_TRAILER") == true)
  }
}
