// swift-tools-version: 6.2
import PackageDescription

/// Apart from settle's own package, so that nobody else links libFuzzer, which comes with Swift. Built by `tools/fuzz`.
let package = Package(
  name: "settle-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "settle", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(name: "fuzz", dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "settle")]),
  ]
)
