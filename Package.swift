// swift-tools-version: 6.2
import PackageDescription

/// The released command holds Swift's libraries: it starts in two thirds of the time, and runs where there is no Swift.
let selfContained: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-lswiftSynchronization",
      "-lswift_RegexParser",
      "-lswift_StringProcessing", "-lstdc++", "-Xlinker", "--gc-sections",
    ], .when(platforms: [.linux], configuration: .release))
]

/// Functions may return spans of their arguments (`@_lifetime`), except public ones of a product.
let spans: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// For targets whose raw memory is in few files: `unsafe` marks each use of it.
let memorySafe: [SwiftSetting] = [.strictMemorySafety()] + spans

/// Targets in the order of the data flow; each depends only on those above it.
let package = Package(
  name: "settle",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "settle", targets: ["settle"]),
    // What others build on; the version number promises their public declarations (README, "From Swift").
    .library(name: "ExactArithmetic", targets: ["ExactArithmetic"]),
    .library(name: "Money", targets: ["Money"]),
    .library(name: "Settlement", targets: ["Settlement"]),
    // For the package in Tests/Fuzzing/ alone; no promise to anyone else.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    // For the packages under Benchmarks/, likewise.
    .library(
      name: "SettleStages",
      targets: [
        "CLZ4", "ExactArithmetic", "Failures", "Text", "Records", "Postings", "Input", "Rules", "Documents",
        "Publication", "BatchRun", "LedgerRuns", "RunStages", "SampleBatch",
      ]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
    // Loaded by tests before the C library of a command; no program is linked with it.
    .library(name: "SystemCallRecorder", type: .dynamic, targets: ["SystemCallRecorder"]),
    // For the package in Packages/Deliver, likewise.
    .library(
      name: "DeliverySupport",
      targets: ["Version", "Failures", "Text", "Digests", "JSON", "FileSystem", "Console", "Claims"]),
  ],
  // Ranges, so that other packages can agree on a version; Package.resolved has the exact ones that a release is built of.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .target(name: "CGMP", linkerSettings: [.linkedLibrary("gmp")]),
    .target(name: "CLZ4", linkerSettings: [.linkedLibrary("lz4")]),
    .target(name: "CXXHash", linkerSettings: [.linkedLibrary("xxhash")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CNettle", linkerSettings: [.linkedLibrary("nettle")]),
    .target(name: "CExpat", linkerSettings: [.linkedLibrary("expat")]),
    .target(name: "CSystemCalls"),
    .target(name: "CByteScan"),
    .target(name: "Version"),
    .target(name: "Failures"),
    .target(
      name: "Threads", dependencies: ["CSystemCalls"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: memorySafe),
    .target(name: "Bytes", swiftSettings: memorySafe),
    .target(
      name: "ExactArithmetic", dependencies: ["Bytes", "CGMP"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Text", dependencies: ["Bytes", "CByteScan", "ExactArithmetic"], exclude: ["README.md"],
      swiftSettings: memorySafe),
    .target(name: "Digests", dependencies: ["Bytes", "CNettle", "CXXHash"], swiftSettings: memorySafe),
    .target(name: "JSON", dependencies: ["Bytes", "Text"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Money", dependencies: ["Bytes", "ExactArithmetic", "Failures"], exclude: ["README.md"],
      resources: [.embedInCode("Generated/fees.json")], swiftSettings: memorySafe),
    .target(
      name: "FileSystem",
      dependencies: [
        "CSystemCalls", "Digests", "Failures", "Threads", "Text",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Publication",
      dependencies: [
        "Digests", "FileSystem", "Threads", .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Console",
      dependencies: [
        "CSystemCalls", "ExactArithmetic", "FileSystem", "JSON", "Text",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Records", dependencies: ["Bytes", "CByteScan", "Text", "Money"], exclude: ["README.md"],
      swiftSettings: memorySafe),
    .target(
      name: "Claims",
      dependencies: [
        "Bytes", "CByteScan", "Text", "Threads", .product(name: "BasicContainers", package: "swift-collections"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Postings",
      dependencies: [
        "Bytes", "CByteScan", "Claims", "Records", "Threads",
        .product(name: "BasicContainers", package: "swift-collections"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Input", dependencies: ["Bytes", "CByteScan", "CLZ4", "CXXHash", "FileSystem", "Records"],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Rules",
      dependencies: [
        "Digests", "JSON", "Input", "Postings", .product(name: "BasicContainers", package: "swift-collections"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Documents",
      dependencies: [
        "Bytes", "Publication", "Rules", "Threads", .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Ledger",
      dependencies: [
        "CByteScan", "CLZ4", "CSQLite", "Claims", "Digests", "FileSystem", "Money", "Postings", "Publication",
        "Records", "SQLite", "Threads",
        .product(name: "BasicContainers", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "BatchRun",
      dependencies: [
        "Bytes", "Documents", "Ledger", "Version",
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Bookkeeping",
      dependencies: ["Documents", "Ledger", .product(name: "SystemPackage", package: "swift-system")],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "LedgerRuns",
      dependencies: [
        "BatchRun", "Bookkeeping", "CSystemCalls", .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Shards",
      dependencies: ["BatchRun", "LedgerRuns", .product(name: "SystemPackage", package: "swift-system")],
      exclude: ["README.md"], swiftSettings: memorySafe),
    .target(name: "RunStages", dependencies: ["BatchRun"], path: "Benchmarks/RunStages"),
    .target(
      name: "Verification", dependencies: ["BatchRun", "LedgerRuns"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Accounts", dependencies: ["Bookkeeping"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Settlement", dependencies: ["Accounts", "BatchRun", "LedgerRuns"], exclude: ["README.md"],
      swiftSettings: memorySafe),
    .target(
      name: "Statements", dependencies: ["Accounts", "BatchRun", "LedgerRuns", "Threads"], exclude: ["README.md"],
      resources: [.embedInCode("Pages/statement.css")], swiftSettings: memorySafe),
    .target(
      name: "Notifications", dependencies: ["LedgerRuns"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Journals", dependencies: ["Accounts", "BatchRun", "LedgerRuns"], exclude: ["README.md"],
      swiftSettings: memorySafe),
    .target(
      name: "Import", dependencies: ["Digests", "Documents"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Payouts",
      dependencies: [
        "Bookkeeping", "Digests", "Version", .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"],
      resources: [.embedInCode("Generated/iban.csv"), .embedInCode("Generated/latin.csv")], swiftSettings: memorySafe),
    .target(
      name: "Returns", dependencies: ["CExpat", "Payouts"], exclude: ["README.md"], swiftSettings: memorySafe),
    .target(
      name: "Page", dependencies: ["Accounts", "Version"], exclude: ["README.md"],
      // Into the command itself, which is one file that can be copied.
      resources: [.embedInCode("Style/page.css"), .embedInCode("Style/page.js")], swiftSettings: memorySafe),
    .target(
      name: "SampleBatch", dependencies: ["Threads", "Input", "Money", "Records"], exclude: ["README.md"],
      resources: [.embedInCode("vocabulary.txt")], swiftSettings: memorySafe),
    .executableTarget(
      name: "settle",
      dependencies: [
        "Accounts", "BatchRun", "Digests", "Import", "Shards", "Console", "Journals", "Notifications", "Page",
        "Payouts", "Returns", "SampleBatch", "Settlement", "Statements", "Verification", "Version",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["README.md"], resources: [.embedInCode("Generated/batch.schema.json")], swiftSettings: memorySafe,
      linkerSettings: selfContained),
    .target(
      name: "TestSupport", dependencies: ["Money", "Rules"], path: "Tests/TestSupport", swiftSettings: spans),
    .target(name: "RunSupport", dependencies: ["LedgerRuns", "TestSupport"], path: "Tests/RunSupport"),
    .target(name: "SystemCallRecorder", path: "Tests/SystemCallRecorder"),
    .executableTarget(
      name: "FillLedger", dependencies: ["Claims", "FileSystem", "Ledger", "TestSupport"],
      path: "Benchmarks/FillLedger"),
    .target(
      name: "TestOracles", dependencies: ["CLZ4", "ExactArithmetic", "Input"], path: "Tests/TestOracles"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CXXHash", "Digests", "Input", "Documents", "LedgerRuns", "Verification", "Import", "Payouts", "Records",
        "Returns",
        "TestSupport", "TestOracles",
      ],
      path: "Tests/FuzzTargets", swiftSettings: spans),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"]),
    .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    .testTarget(
      name: "ExactArithmeticTests", dependencies: ["ExactArithmetic", "TestSupport", "TestOracles"]),
    .testTarget(
      name: "TextTests", dependencies: ["Text", "ExactArithmetic", "TestSupport", "TestOracles"]),
    .testTarget(name: "DigestsTests", dependencies: ["Digests", "TestSupport"]),
    .testTarget(
      name: "FileSystemTests", dependencies: ["FileSystem", "TestSupport"]),
    .testTarget(
      name: "ConsoleTests",
      dependencies: ["Console", "ExactArithmetic", .product(name: "Logging", package: "swift-log")]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(name: "MoneyTests", dependencies: ["Money", "TestSupport"]),
    .testTarget(
      name: "DocumentsTests", dependencies: ["Documents", "JSON", "RunSupport", "TestSupport"], exclude: ["Golden"]),
    .testTarget(name: "ClaimsTests", dependencies: ["Claims", "TestSupport"]),
    .testTarget(
      name: "PostingsTests", dependencies: ["Postings", "ExactArithmetic", "Money", "Records", "Text", "TestSupport"]),
    .testTarget(name: "RecordsTests", dependencies: ["Records", "TestSupport"]),
    .testTarget(
      name: "InputTests", dependencies: ["Input", "JSON", "Text", "CLZ4", "CXXHash", "TestSupport", "TestOracles"]),
    .testTarget(
      name: "RulesTests", dependencies: ["JSON", "Rules", "TestOracles", "TestSupport"], exclude: ["Corpus"]),
    .testTarget(
      name: "ImportTests", dependencies: ["Import", "LedgerRuns", "TestSupport"],
      exclude: ["Corpus", "Golden"]),
    .testTarget(
      name: "SampleBatchTests", dependencies: ["SampleBatch", "Input", "Money", "Records", "Text"],
      exclude: ["golden.txt"]),
    .testTarget(
      name: "SettlementTests", dependencies: ["Settlement", "SampleBatch", "TestSupport"]),
    .testTarget(
      name: "SettleTests",
      dependencies: [
        "settle", "LedgerRuns", "Ledger", "Rules", "TestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Golden"]),
    .testTarget(name: "VerificationTests", dependencies: ["Verification", "LedgerRuns", "Text", "TestSupport"]),
    .testTarget(
      name: "StatementsTests", dependencies: ["Statements", "LedgerRuns", "Rules", "SampleBatch", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "NotificationsTests", dependencies: ["Notifications", "LedgerRuns", "Rules", "TestSupport"]),
    .testTarget(
      name: "JournalsTests",
      dependencies: ["Journals", "LedgerRuns", "Input", "ExactArithmetic", "Money", "Records", "Rules", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "PageTests", dependencies: ["Page", "LedgerRuns", "TestSupport"], exclude: ["Golden", "Published"]),
    .testTarget(
      name: "PayoutsTests",
      dependencies: ["Payouts", "LedgerRuns", "Digests", "Ledger", "Records", "TestSupport"]),
    .testTarget(name: "ReturnsTests", dependencies: ["Returns", "LedgerRuns", "Digests", "Ledger", "TestSupport"]),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "Input", "TestSupport"]),
    .testTarget(name: "LedgerTests", dependencies: ["Ledger", "Money", "SQLite", "TestSupport", "Threads"]),
    .testTarget(name: "PublicationTests", dependencies: ["LedgerRuns", "RunSupport", "TestSupport"]),
    .testTarget(
      name: "BatchRunTests", dependencies: ["LedgerRuns", "RunStages", "RunSupport", "TestSupport"]),
    .testTarget(
      name: "LedgerRunsTests", dependencies: ["LedgerRuns", "RunSupport", "SampleBatch", "TestSupport"]),
    .testTarget(name: "ShardsTests", dependencies: ["Shards", "RunSupport", "TestSupport"]),
  ]
)

// `SETTLE_TESTS` (tools/test sanitize): only these test targets, with commas between them. `swift test` builds all others
// too, whatever `--filter` says.
if let tests = Context.environment["SETTLE_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

// `SETTLE_CHECKED=1` (tools/test build): warnings of the project's own targets are errors, and a release build is one
// that tests can be linked with. `SETTLE_CHECKED=tests` links it so: Swift's testing library has the shared libraries, and a
// program cannot have both.
if let checked = Context.environment["SETTLE_CHECKED"] {
  for target in package.targets {
    let forTests = target.type == .test ? "-Onone" : "-enable-testing"
    target.swiftSettings =
      (target.swiftSettings ?? []) + [
        .treatAllWarnings(as: .error),
        // The compiler would read everything twice, to have more to do at once than two cores can.
        .unsafeFlags([forTests, "-no-emit-module-separately-wmo"], .when(configuration: .release)),
      ]
    if target.type == .executable, checked == "tests" { target.linkerSettings = nil }
  }
}
