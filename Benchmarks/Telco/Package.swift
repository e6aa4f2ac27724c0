// swift-tools-version: 6.2
import PackageDescription

/// As in the Package.swift of settle: `SETTLE_CHECKED=1` turns warnings into errors.
let strict: [SwiftSetting] =
  Context.environment["SETTLE_CHECKED"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// Apart from settle's own package, so that nothing here is built or resolved with the command.
let package = Package(
  name: "telco",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "settle", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(
      name: "CallPricing", dependencies: [.product(name: "ExactArithmetic", package: "settle")],
      swiftSettings: strict),
    .executableTarget(
      name: "telco",
      dependencies: ["CallPricing", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .testTarget(name: "CallPricingTests", dependencies: ["CallPricing"], swiftSettings: strict),
  ]
)
