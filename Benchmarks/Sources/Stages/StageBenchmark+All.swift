import HostileBatches

extension StageBenchmark {
  /// All benchmarks, in the order of the data flow.
  public static let all: [StageBenchmark] =
    decompression + [StageBenchmark("scan records") { try Scanning(payments: $0) }] + arithmetic + behindTheScanner
    + stagesOfARun + endToEnd + hostile

  private static let decompression = [
    StageBenchmark("expand independent blocks") { try Decompression(payments: $0, .independent) },
    StageBenchmark("expand independent blocks, content verified") {
      try Decompression(payments: $0, .independent, isVerified: true)
    },
    StageBenchmark("expand linked blocks") { try Decompression(payments: $0, .linked) },
  ]

  private static let arithmetic = DecimalArithmetic.Operation.allCases.flatMap { operation in
    [false, true].map { isWide in
      StageBenchmark("decimals: \(operation.rawValue), \(isWide ? "GMP" : "inline")", full: 5000) {
        try DecimalArithmetic(payments: $0, operation, isWide: isWide)
      }
    }
  }

  private static let behindTheScanner = [
    StageBenchmark("judge payments") { try Judging(payments: $0) },
    StageBenchmark("judge payments, three named fees") { try Judging(payments: $0, rules: NamedFees.rules()) },
    StageBenchmark("format settlement rows") { try SettlementRows(payments: $0) },
    StageBenchmark("format fee rows") { try FeeRows(payments: $0) },
    StageBenchmark("format exception rows") { try ExceptionRows(payments: $0) },
  ]

  private static let stagesOfARun = [
    StageBenchmark("all of a worker's stages") { try StageOfARun(payments: $0, .assess) },
    StageBenchmark("accounts: post") { try StageOfARun(payments: $0, .postAccounts) },
    StageBenchmark("pay keys: remember") { try StageOfARun(payments: $0, .rememberPayKeys) },
    StageBenchmark("commit in order") { try StageOfARun(payments: $0, .commit) },
    StageBenchmark("accounts: write in order") { try StageOfARun(payments: $0, .writeReceivers) },
  ]

  private static let endToEnd =
    [20_000, 200_000].flatMap { payments in
      threads.map { threads, named in
        StageBenchmark("settle, \(payments) payments, \(named)", full: payments) {
          try EndToEnd(payments: $0, threads: threads)
        }
      }
    }
    + threads.map { threads, named in
      StageBenchmark("validate, 200000 payments, \(named)", full: 200_000) {
        try EndToEnd(payments: $0, threads: threads, isValidation: true)
      }
    }

  private static let threads = [(1, "1 thread"), (2, "2 threads")]

  private static let hostile = HostileBatch.allCases.map { batch in
    // A million accounts take 130 MB. Batches that are mostly output would make gigabytes of it.
    let full = batch == .millionAccounts ? 130_000_000 : batch.isMostlyOutput ? 3_000_000 : 30_000_000
    return StageBenchmark("hostile: \(batch.rawValue)", tiny: 30_000, full: full) { bytes in
      try EndToEnd(threads: 2) { folder in
        var written: HostileBatch.Written?
        let path = try folder.file("batch.jsonl.lz4") { written = try batch.write(bytes: bytes, to: $0) }
        return (path, written?.records ?? 0, written?.bytes ?? 0)
      }
    }
  }
}
