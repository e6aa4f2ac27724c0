import Foundation
import Testing

/// The job of `tools/nightly` with an inbox and a folder of reports, run as a timer would.
struct NightlyJob {
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "tools/nightly/settle-nightly").path
  static let day = "2026-11-20"

  let folder: CommandFolder

  init(_ files: [String: String] = [:]) throws {
    folder = try CommandFolder()
    for name in ["inbox", "reports", "bin"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    for (name, text) in files { try folder.write("inbox/\(name)", text) }
    // The job asks for today's date only in this form. A program that this process wrote is busy while another test
    // forks with the file still open, so the job copies it.
    try folder.write("bin/date.sh", "#!/bin/sh\n[ \"$*\" != +%F ] || exec echo \"$TODAY\"\nexec \"$DATE\" \"$@\"")
  }

  /// Runs the job; every line on standard error must be an object.
  func run(_ settings: String = "", _ arguments: String = day) throws -> (exitCode: Int32, said: String) {
    let process = try folder.start(
      "export SETTLE_INBOX=$PWD/inbox SETTLE_OUTPUT=$PWD/reports SETTLE_METRICS=$PWD/settle.prom; \(settings) "
        + "exec '\(Self.script)' \(arguments) >output 2>said")
    process.waitUntilExit()
    let said = try text("said")
    for line in said.split(separator: "\n") {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["message"] != nil && object?["level"] != nil && object?["time"] != nil, "\(line)")
    }
    return (process.terminationStatus, said)
  }

  /// Runs the job on a day in the morning, without saying which day to settle.
  func run(on today: String, _ settings: String = "") throws -> (exitCode: Int32, said: String) {
    try run(
      "cp bin/date.sh bin/date; chmod +x bin/date; export DATE=$(command -v date) PATH=$PWD/bin:$PATH TODAY=\(today); "
        + settings, "")
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The days with published reports.
  func settledDays() throws -> [String] {
    let reports = folder.url.appendingPathComponent("reports")
    return try FileManager.default.contentsOfDirectory(atPath: reports.path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The oldest unsettled day by the metrics; nil if all days are settled.
  func oldestUnsettled() throws -> String? {
    let sample = try text("settle-unsettled.prom").split(separator: "\n").first { !$0.hasPrefix("#") }
    let seconds = try #require(sample.flatMap { Double($0.split(separator: " ")[1]) })
    return seconds == 0 ? nil : String(Date(timeIntervalSince1970: seconds).ISO8601Format().prefix(10))
  }

  /// A gauge of what waits for someone, `settle_job_NAME`.
  func gauge(_ name: String) throws -> Int? {
    let start = "settle_job_\(name) "
    let sample = try text("settle-job.prom").split(separator: "\n").first { $0.hasPrefix(start) }
    return sample.flatMap { Int($0.dropFirst(start.count)) }
  }

  static func payment(_ key: String, _ amount: String = "10.00") -> String {
    #"{"payKey":"\#(key)","recipient":"shop@shop.example","subTotal":"\#(amount)"}"#
  }
}
