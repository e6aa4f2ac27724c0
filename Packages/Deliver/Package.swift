// swift-tools-version: 6.2
import PackageDescription

/// As in settle's Package.swift.
let selfContained: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-lswiftSynchronization",
      "-lswift_RegexParser", "-lswift_StringProcessing", "-lstdc++", "-Xlinker", "--gc-sections",
    ], .when(platforms: [.linux], configuration: .release))
]

/// Separate from settle's own package, so that a build of settle does not need an HTTP client.
let package = Package(
  name: "settle-deliver",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "settle-deliver", targets: ["settle-deliver"])],
  dependencies: [
    .package(name: "settle", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
  ],
  targets: [
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "Delivery",
      dependencies: [
        "CCurl", .product(name: "DeliverySupport", package: "settle"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .executableTarget(
      name: "settle-deliver",
      dependencies: [
        "Delivery", .product(name: "DeliverySupport", package: "settle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      linkerSettings: selfContained),
    .testTarget(
      name: "DeliveryTests",
      dependencies: ["Delivery", .product(name: "DeliverySupport", package: "settle")]),
  ]
)

// As in settle's Package.swift. No test needs the command, so that one build has both.
if Context.environment["SETTLE_CHECKED"] != nil {
  for target in package.targets {
    target.swiftSettings = [
      .treatAllWarnings(as: .error),
      .unsafeFlags(
        [target.type == .test ? "-Onone" : "-enable-testing", "-no-emit-module-separately-wmo"],
        .when(configuration: .release)),
    ]
  }
}
