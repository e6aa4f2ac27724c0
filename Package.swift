// swift-tools-version: 6.1
import PackageDescription

/// `SETTLE_WARNINGS_AS_ERRORS=1` (tools/check) turns warnings of the project's own targets into errors.
let strict: [SwiftSetting] =
  Context.environment["SETTLE_WARNINGS_AS_ERRORS"] == "1" ? [.unsafeFlags(["-warnings-as-errors"])] : []

/// Targets in the order of the data flow; each depends only on those above it.
let package = Package(
  name: "settle",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CGMP", linkerSettings: [.linkedLibrary("gmp")]),
    .target(name: "CLZ4", linkerSettings: [.linkedLibrary("lz4")]),
    .target(name: "CXXHash", linkerSettings: [.linkedLibrary("xxhash")]),
    .target(name: "ExactArithmetic", dependencies: ["CGMP"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Money", dependencies: ["ExactArithmetic"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Payments", dependencies: ["Money"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "BatchFile", dependencies: ["CLZ4", "CXXHash", "ExactArithmetic"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(
      name: "Settlement", dependencies: ["ExactArithmetic", "Money", "Payments", "BatchFile"],
      exclude: ["README.md"], swiftSettings: strict),
  ]
)
