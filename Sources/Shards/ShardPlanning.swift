import BatchRun
import Bookkeeping
import Claims
import Failures
import FileSystem
import Glibc
import Input
import Ledger
import SystemPackage

/// How large shards should be.
public enum ShardSize: Sendable {
  /// About this number of shards for the whole batch.
  case count(Int)
  /// At most this number of bytes of text in each shard.
  case text(Int)
}

extension ShardWork {
  /// Plans how a batch is settled in shards: makes `plan.json` in a directory, and the directory if it does not exist.
  ///
  /// Reads only the headers of LZ4 frames and blocks, no text. A corrupt file is planned up to the corruption.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order.
  ///   - mustHaveRuns: whether to refuse a ledger without a run, and not to make one.
  ///   - question: takes the questions about files that are elsewhere, which standard input answers (`RemoteBatch`);
  ///     nil if they are paths.
  ///   - note: called for a new ledger, and for frames of linked blocks, which cannot be cut.
  /// - Returns: the number of shards.
  public static func plan(
    _ paths: [String], in path: String, size: ShardSize, options: RunOptions, ledger: String?,
    mustHaveRuns: Bool = false, question: Output? = nil, note: (String) -> Void
  ) throws(Failure) -> Int {
    guard !paths.contains("-") else { throw .usage("standard input cannot be planned; name the batch's files") }
    let remote = question.map(RemoteBatch.init)
    let files = try paths.map { path throws(Failure) in
      if let remote { return try remote.file(path) }
      return try PlannedFile(path)
    }
    let layouts = try files.indices.map { number throws(Failure) in
      if let remote { return try FileLayout(files[number], StoredBatchFile(remote.ranged(number, files[number]))) }
      let path = try files[number].source(nil)
      return try FileLayout(files[number], StoredBatchFile(path: path))
    }
    let most: Int
    switch size {
    case .text(let bytes): most = bytes
    case .count(let count): most = max(1, (layouts.reduce(0) { $0 + $1.textBound } + count - 1) / count)
    }
    var shards: [PlannedShard] = []
    for (number, layout) in layouts.enumerated() { shards += layout.shards(of: number, atMost: most, note: note) }
    guard shards.count <= ShardPlan.mostShards else {
      throw .usage("that makes \(shards.count) shards; the limit is 100000. Make them larger")
    }
    let shown = OutputPlace.shown(path)
    let directory = try makeDirectory(path, shown: shown)
    let asked = try ledger.map { path throws(Failure) in
      // Like a run, a plan makes the ledger if there is none.
      if mustHaveRuns || OutputPlace.isGone(path) { try RunLedger(path, mustHaveRuns: mustHaveRuns).keep() }
      let asked = try LedgerReading(path: path)
      if asked.lastRun == 0 { note("new ledger \(asked.shown): no earlier run is known") }
      return asked
    }
    var options = options
    options.earlierShowsNames = asked?.showsNames() ?? false
    let ledger = ledger.map { (try? FileName.resolved($0)) ?? $0 }
    func plan(_ hash: KeyedHash) -> ShardPlan {
      ShardPlan(files: files, shards: shards, options: options, hash: hash, ledger: ledger)
    }
    if (try? directory.status(ShardPlan.fileName)) != nil {
      let old = try ShardWork(path).plan
      guard plan(asked?.hash ?? old.hash).text == old.text else {
        throw .unavailable(
          "\(shown)/\(ShardPlan.fileName): exists already and has another plan; name another directory")
      }
      return shards.count
    }
    guard !((try? directory.names()) ?? []).contains(where: ShardWork.isStep) else {
      throw .unavailable(
        "\(shown): has steps of a plan that is gone; remove them, or name another directory: "
          + removal(of: directory, shown: shown))
    }
    try write(plan(asked?.hash ?? KeyedHash()).text, in: directory, shown: shown)
    return shards.count
  }

  private static func makeDirectory(_ path: String, shown: String) throws(Failure) -> Directory {
    do throws(Errno) {
      do throws(Errno) { try FileName.makeDirectory(path) } catch .fileExists {}
      return try Directory(path: path)
    } catch {
      throw .unavailable("\(shown): cannot be made: \(error)")
    }
  }

  private static func write(_ text: [UInt8], in directory: Directory, shown: String) throws(Failure) {
    let attempt = ".\(ShardPlan.fileName).\(getpid())"
    let path = "\(shown)/\(ShardPlan.fileName)"
    let file = OpenFile(
      try preparing(path, "made", directory.open(attempt, O_WRONLY | O_CREAT | O_TRUNC)), shown: path)
    try file.write(text.span)
    try file.sync()
    do throws(Errno) { try directory.renameNew(attempt, to: ShardPlan.fileName) } catch {
      try? directory.remove(attempt)
      throw .unavailable("\(path): cannot be made: \(error)")
    }
    try using(shown, "synced", directory.sync())
  }
}

/// Where a file can be cut.
private struct FileLayout {
  private let file: PlannedFile
  /// The pieces of an LZ4 file; nil for plain text.
  private var pieces: [StoredPiece]?

  init(_ file: PlannedFile, _ stored: StoredBatchFile) throws(Failure) {
    self.file = file
    var pieces: [StoredPiece] = []
    let isPlain = try stored.visitPieces { pieces.append($0) }
    self.pieces = isPlain ? nil : pieces
  }

  /// The most text that it can contain, up to where it is planned.
  var textBound: Int { pieces?.reduce(0) { $0 + $1.textBound } ?? file.bytes }

  func shards(of number: Int, atMost most: Int, note: (String) -> Void) -> [PlannedShard] {
    var places: [StoredPlace] = []
    if let pieces {
      var held = 0
      for piece in pieces {
        if piece.isLinked, piece.textBound > 2 * most {
          note(
            "\(file.name): a frame of linked blocks at stored byte \(piece.place.offset) makes one shard of up to "
              + "\(piece.textBound) bytes of text; only frames of independent blocks can be cut")
        }
        if places.isEmpty || held + piece.textBound > most {
          places.append(piece.place)
          held = 0
        }
        held += piece.textBound
      }
    } else {
      places = stride(from: 0, to: max(1, file.bytes), by: most).map { StoredPlace(offset: UInt64($0), isPlain: true) }
    }
    // The bytes before the first frame belong to the first shard.
    if places.isEmpty { places = [StoredPlace(offset: 0, isPlain: false)] }
    places[0] = StoredPlace(offset: 0, isPlain: places[0].isPlain)
    return places.indices.map { place in
      let end = place + 1 < places.count ? Int(places[place + 1].offset) : file.bytes
      return PlannedShard(file: number, place: places[place], end: end)
    }
  }
}
