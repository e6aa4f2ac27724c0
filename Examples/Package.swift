// swift-tools-version: 6.2
import PackageDescription

/// A package that settles payments. In other projects, the dependency is a repository and a version:
/// `.package(url: "https://example.com/settle", from: "1.0.0")`. They also need `libgmp-dev` and the other Debian
/// packages in settle's README.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "settle", path: "..")
  ],
  targets: [
    .executableTarget(name: "settle-payment", dependencies: [.product(name: "Settlement", package: "settle")]),
    .executableTarget(
      name: "settle-night",
      dependencies: [
        .product(name: "ExactArithmetic", package: "settle"), .product(name: "Money", package: "settle"),
        .product(name: "Settlement", package: "settle"),
      ]),
  ]
)
