import FileSystem
import Claims
import TestSupport

@testable import BatchRun

/// The texts of a batch's files, settled as a run and as stretches that are cut at random.
struct CutBatch {
  let texts: [[UInt8]]
  var options = RunOptions(threads: 2, enforcesControlTotals: false)
  var told = ReportedSettlements()

  var names: [String] { texts.indices.map { "file \($0)" } }

  var settling: StretchSettling {
    StretchSettling(
      purpose: .settlement, options: options, hash: told.hash,
      earlier: told.isEmpty ? nil : EarlierSettlements(told))
  }

  /// What a run makes of the files.
  func run() throws -> (GatheredReports, Result<RunResult, RunFailure>) {
    let folder = try TemporaryFolder()
    let paths = try texts.indices.map { try folder.write(texts[$0], to: "batch\($0)") }
    var options = options
    options.fileNames = names
    let reports = GatheredReports()
    return (
      reports,
      Result { () throws(RunFailure) in
        try BatchRun.settle(paths, to: reports, options: options, told: told.isEmpty ? nil : told)
      }
    )
  }

  /// The stretches of one text between cuts, each through its serialized form.
  func stretches(of file: Int, cuts: [Int]) throws -> [StretchResult] {
    let ends = cuts + [texts[file].count]
    return try zip([0] + cuts, ends).enumerated().map { number, range in
      let stretch = try texts[file].withUnsafeBufferPointer {
        try settling.settle($0, range: range.0..<range.1, isFirst: number == 0)
      }
      return try throughSerializedForm(stretch)
    }
  }

  func throughSerializedForm(_ stretch: StretchResult) throws -> StretchResult {
    try StretchResult(serialized: stretch.serialized(hash: told.hash), name: "a stretch", hash: told.hash)
  }

  /// Merges neighbours, in any order, until so many stretches are left.
  func merged(
    _ stretches: [StretchResult], of file: Int, to count: Int, using random: inout SeededGenerator
  ) throws -> [StretchResult] {
    var stretches = stretches
    while stretches.count > count {
      let place = Int.random(in: 0..<stretches.count - 1, using: &random)
      let start = stretches[..<place].reduce(0) { $0 + $1.textBytes }
      let held = HeldLine(texts[file])
      let both = try settling.merge(stretches[place], stretches[place + 1]) { held.line(at: start + $0, length: $1) }
      stretches[place...place + 1] = [try throughSerializedForm(both)]
    }
    return stretches
  }

  /// The reports of all stretches.
  func report(_ stretches: [[StretchResult]], files: [StoredFile]) throws -> (
    GatheredReports, Result<RunResult, RunFailure>
  ) {
    let reports = GatheredReports()
    let texts = texts.map { HeldLine($0) }
    return (
      reports,
      Result { () throws(RunFailure) in
        try BatchRun.report(
          zip(files, stretches).map { StretchedFile(file: $0, stretches: $1) }, by: settling, to: reports
        ) { texts[$0].line(at: $1, length: $2) }
      }
    )
  }

  /// Random places of a text in order, some of them twice, many of them beside or within line ends.
  func cuts(of file: Int, using random: inout SeededGenerator) -> [Int] {
    let text = texts[file]
    let lineFeeds = text.indices.filter { text[$0] == UInt8(ascii: "\n") }
    var cuts = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      let near = lineFeeds.randomElement(using: &random).map { $0 + Int.random(in: -1...1, using: &random) } ?? 0
      return Bool.random(using: &random) ? max(0, near) : Int.random(in: 0...text.count, using: &random)
    }
    if let twice = cuts.first { cuts.append(twice) }
    return cuts.sorted()
  }
}

/// A record of a text, in memory that a scanner may read, until the next one is asked for.
final class HeldLine {
  private let text: [UInt8]
  private var memory = LineMemory([])

  init(_ text: [UInt8]) { self.text = text }

  func line(at offset: Int, length: Int) -> UnsafePointer<UInt8> {
    memory = LineMemory(Array(text[offset..<offset + length]))
    return memory.bytes
  }
}

/// Reports in memory.
final class GatheredReports: ReportDestination {
  final class Report: ReportWriter {
    var bytes: [UInt8] = []

    func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
      self.bytes += UnsafeBufferPointer(start: bytes, count: count)
    }
  }

  private(set) var bytes: [String: [UInt8]] = [:]

  func makeFile(_ name: String) throws(RunFailure) -> Report { Report() }

  func finish(_ file: Report, name: String) throws(RunFailure) { bytes[name] = file.bytes }

  /// The first difference to other reports, or nil.
  func difference(from other: GatheredReports) -> String? {
    for name in Set(bytes.keys).union(other.bytes.keys).sorted() {
      if let difference = Golden.firstDifference(of: bytes[name] ?? [], from: other.bytes[name] ?? []) {
        return "\(name) \(difference)"
      }
    }
    return nil
  }
}
