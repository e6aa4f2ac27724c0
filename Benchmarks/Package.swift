// swift-tools-version: 6.2
import PackageDescription

/// As in settle's Package.swift: `SETTLE_CHECKED=1` turns warnings into errors.
let strict: [SwiftSetting] =
  Context.environment["SETTLE_CHECKED"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// Separate from settle's own package, so that building the command does not resolve the benchmark library.
let package = Package(
  name: "settle-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "settle", path: ".."),
    // Without its traits: they need packages for counting allocations, which is not used here.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .target(
      name: "HostileBatches", dependencies: [.product(name: "SettleStages", package: "settle")],
      swiftSettings: strict),
    .target(
      name: "Stages",
      dependencies: [
        "HostileBatches", .product(name: "SettleStages", package: "settle"),
        .product(name: "TestSupport", package: "settle"),
      ],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .executableTarget(name: "hostile-batch", dependencies: ["HostileBatches"], swiftSettings: strict),
    // The plugin takes the directories directly in a folder named Benchmarks as benchmarks: here, this one.
    .executableTarget(
      name: "SettleBenchmarks",
      dependencies: ["Stages", .product(name: "Benchmark", package: "benchmark")],
      path: "SettleBenchmarks", swiftSettings: strict,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .testTarget(
      name: "StagesTests", dependencies: ["Stages", .product(name: "TestSupport", package: "settle")],
      exclude: ["results.tsv"], swiftSettings: strict),
    .testTarget(
      name: "HostileBatchesTests",
      dependencies: [
        "HostileBatches", .product(name: "SettleStages", package: "settle"),
        .product(name: "TestSupport", package: "settle"),
      ], swiftSettings: strict),
  ]
)
