import Foundation
import Testing

/// What an earlier version of settle wrote, packed in `Golden/earlier`. The directories that its ledgers name were in
/// /srv/settle, so that they are gone.
extension CommandFolder {
  func unpack(earlier name: String) throws {
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let archive = checkout.appending(path: "Golden/earlier/\(name).tar.gz").path
    process.arguments = ["tar", "xzf", archive, "-C", url.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
