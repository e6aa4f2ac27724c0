// swift-tools-version: 6.2
import PackageDescription

/// What another package needs to settle payments. Elsewhere than here, the dependency is a repository and a version:
/// `.package(url: "https://example.com/settle", from: "1.0.0")`, with `libgmp-dev` and the other Debian packages that
/// settle's README names.
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
