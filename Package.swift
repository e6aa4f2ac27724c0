// swift-tools-version: 6.2
import PackageDescription

/// `SETTLE_WARNINGS_AS_ERRORS=1` (tools/check) turns warnings of the project's own targets into errors.
let strict: [SwiftSetting] =
  Context.environment["SETTLE_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// The released command holds Swift's libraries: it starts in two thirds of the time, and runs where there is no Swift.
let selfContained: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU",
      "-lstdc++",
    ], .when(platforms: [.linux], configuration: .release))
]

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
        "CLZ4", "ExactArithmetic", "Text", "Records", "Postings", "Input", "Rules", "Reports", "BatchRun",
        "RunStages", "SampleBatch",
      ]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
  ],
  // Exact versions: no Package.resolved stands beside this file.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .target(name: "CGMP", linkerSettings: [.linkedLibrary("gmp")]),
    .target(name: "CLZ4", linkerSettings: [.linkedLibrary("lz4")]),
    .target(name: "CXXHash", linkerSettings: [.linkedLibrary("xxhash")]),
    .target(name: "CSystemCalls"),
    .target(name: "CByteScan"),
    .target(name: "Threads", exclude: ["README.md"], swiftSettings: strict),
    .target(name: "ExactArithmetic", dependencies: ["CGMP"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Text", dependencies: ["CByteScan", "ExactArithmetic"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "JSON", dependencies: ["Text"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Money", dependencies: ["ExactArithmetic"], exclude: ["README.md"],
      resources: [.embedInCode("Generated/fees.json")], swiftSettings: strict),
    .target(
      name: "FileSystem",
      dependencies: ["CSystemCalls", "Threads", "Text", .product(name: "SystemPackage", package: "swift-system")],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Records", dependencies: ["CByteScan", "Text", "Money"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Claims", dependencies: ["CByteScan", "Threads"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Postings", dependencies: ["CByteScan", "Claims", "Records", "Threads"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(
      name: "Input", dependencies: ["CByteScan", "CLZ4", "CXXHash", "FileSystem", "Records"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(name: "Rules", dependencies: ["JSON", "Input", "Postings"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Reports", dependencies: ["FileSystem", "Rules"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Ledger",
      dependencies: [
        "CByteScan", "CLZ4", "Claims", "CXXHash", "FileSystem", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "BatchRun",
      dependencies: [
        "CByteScan", "CSystemCalls", "CXXHash", "FileSystem", "Threads", "Ledger", "Reports",
        .product(name: "SystemPackage", package: "swift-system"), .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Settlement", dependencies: ["BatchRun"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "RunStages", dependencies: ["BatchRun"], path: "Benchmarks/RunStages", swiftSettings: strict),
    .target(
      name: "Verification", dependencies: ["BatchRun", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Statements", dependencies: ["Threads", "BatchRun"], exclude: ["README.md"],
      resources: [.embedInCode("Pages/statement.css")], swiftSettings: strict),
    .target(
      name: "Notifications", dependencies: ["Verification", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Delivery",
      dependencies: [
        "BatchRun", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Journals", dependencies: ["BatchRun"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Import", dependencies: ["Reports", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Page", dependencies: ["Verification", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["README.md"],
      // Into the command itself, which is one file that can be copied.
      resources: [.embedInCode("Style/page.css"), .embedInCode("Style/page.js")], swiftSettings: strict),
    .target(
      name: "SampleBatch", dependencies: ["Threads", "Input", "Money", "Records"], exclude: ["README.md"],
      resources: [.embedInCode("vocabulary.txt")], swiftSettings: strict),
    .executableTarget(
      name: "settle",
      dependencies: [
        "Import", "BatchRun", "CSystemCalls", "Delivery", "Journals", "Notifications", "Page", "SampleBatch",
        "Settlement", "Statements", "Verification",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["README.md"], resources: [.embedInCode("Generated/batch.schema.json")], swiftSettings: strict,
      linkerSettings: selfContained),
    .target(
      name: "TestSupport", dependencies: ["Money", "Rules"], path: "Tests/TestSupport", swiftSettings: strict),
    .executableTarget(
      name: "FillLedger", dependencies: ["Claims", "FileSystem", "Ledger", "TestSupport"],
      path: "Benchmarks/FillLedger",
      swiftSettings: strict),
    .target(
      name: "TestOracles", dependencies: ["CLZ4", "ExactArithmetic", "Input"], path: "Tests/TestOracles",
      swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CXXHash", "Input", "Reports", "BatchRun", "Verification", "Import", "TestSupport", "TestOracles",
      ],
      path: "Tests/FuzzTargets", swiftSettings: strict),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict),
    .testTarget(
      name: "ExactArithmeticTests", dependencies: ["ExactArithmetic", "TestSupport", "TestOracles"],
      swiftSettings: strict),
    .testTarget(
      name: "TextTests", dependencies: ["Text", "ExactArithmetic", "TestSupport", "TestOracles"], swiftSettings: strict),
    .testTarget(
      name: "FileSystemTests", dependencies: ["FileSystem", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "MoneyTests", dependencies: ["Money", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ReportsTests", dependencies: ["JSON", "Reports", "TestSupport"], exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(name: "ClaimsTests", dependencies: ["Claims", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PostingsTests", dependencies: ["Postings", "ExactArithmetic", "Money", "Records", "Text", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "RecordsTests", dependencies: ["Records", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "InputTests", dependencies: ["Input", "JSON", "CLZ4", "CXXHash", "TestSupport", "TestOracles"],
      swiftSettings: strict),
    .testTarget(
      name: "RulesTests", dependencies: ["Rules", "TestOracles", "TestSupport"], exclude: ["Corpus"],
      swiftSettings: strict),
    .testTarget(
      name: "ImportTests", dependencies: ["Import", "BatchRun", "TestSupport"],
      exclude: ["Corpus", "Golden"], swiftSettings: strict),
    .testTarget(
      name: "SampleBatchTests", dependencies: ["SampleBatch", "Input", "Money", "Text"], exclude: ["golden.txt"],
      swiftSettings: strict),
    .testTarget(
      name: "SettlementTests", dependencies: ["Settlement", "SampleBatch", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SettleTests",
      dependencies: [
        "settle", "BatchRun", "Rules", "TestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "VerificationTests",
      dependencies: ["Verification", "BatchRun", "TestSupport", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: strict),
    .testTarget(
      name: "StatementsTests", dependencies: ["Statements", "BatchRun", "Rules", "SampleBatch", "TestSupport"],
      exclude: ["Golden", "locale-figures.csv"], swiftSettings: strict),
    .testTarget(
      name: "NotificationsTests",
      dependencies: [
        "Notifications", "BatchRun", "Rules", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .testTarget(
      name: "DeliveryTests",
      dependencies: [
        "Delivery", "BatchRun", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .testTarget(
      name: "JournalsTests",
      dependencies: ["Journals", "BatchRun", "Input", "ExactArithmetic", "Money", "Records", "Rules", "TestSupport"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "PageTests",
      dependencies: ["Page", "BatchRun", "TestSupport", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["Golden", "Published"], swiftSettings: strict),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "Input", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LedgerTests",
      dependencies: ["Ledger", "TestSupport", "Threads", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .testTarget(
      name: "BatchRunTests",
      dependencies: ["BatchRun", "RunStages", "FileSystem", "Input", "Ledger", "Rules", "SampleBatch", "TestSupport"],
      swiftSettings: strict),
  ]
)
