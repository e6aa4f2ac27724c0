// swift-tools-version: 6.2
import PackageDescription

/// Separate from settle's own package, so that nothing else links libFuzzer, which comes with Swift. Built by
/// `tools/fuzz`.
let package = Package(
  name: "settle-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "settle", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(name: "fuzz", dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "settle")]),
  ]
)
