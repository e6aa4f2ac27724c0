import Foundation
import TestSupport
import Testing

@testable import BatchRun

@Suite("The examples of ../shared/spec, where they are")
struct SpecificationExamplesTests {
  /// `../shared/spec/examples` beside the checkout.
  static let folder: String = {
    var place = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { place.deleteLastPathComponent() }
    return place.appendingPathComponent("shared/spec/examples").path
  }()
  static let isThere = FileManager.default.fileExists(atPath: folder)
  static let names = isThere ? ["currencies", "errors", "kinds"] : ["none"]

  private func expected(_ example: String, _ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(example)/\(name)")))
  }

  @Test(
    "byte for byte", .enabled(if: isThere, "there is no ../shared/spec beside this checkout"), arguments: names,
    [1, 2, 7])
  func reports(example: String, threads: Int) throws {
    let batch = try expected(example, "batch.jsonl")
    for stored in [batch, try Stored.lz4(batch, blockLength: 700)] {
      let settled = try Workshop().settle([stored], threads: threads, chunk: 500)
      for name in ["settlement.csv", "receivers.csv", "totals.csv", "control.csv"] {
        let difference = Golden.firstDifference(of: settled.reports[name] ?? [], from: try expected(example, name))
        #expect(difference == nil, "\(name)")
      }
      // The example's rows have the file's own name, and no message.
      let rows = settled.text("exceptions.csv").split(separator: "\n").map { row in
        row.split(separator: ",", omittingEmptySubsequences: false)[1..<10].joined(separator: ",")
      }
      let wanted = String(decoding: try expected(example, "exceptions.csv"), as: UTF8.self)
        .split(separator: "\n").map {
          $0.split(separator: ",", omittingEmptySubsequences: false)[1...].joined(separator: ",")
        }
      #expect(rows == wanted)
      try compareSummary(settled, example)
    }
  }

  private func compareSummary(_ settled: Settled, _ example: String) throws {
    let part = try #require(
      try JSONSerialization.jsonObject(with: Data(try expected(example, "summary-part.json"))) as? [String: Any])
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(settled.reports["summary.json"] ?? [])) as? [String: Any])
    for (key, value) in part {
      #expect((value as? NSObject) == (whole[key] as? NSObject), "\(key)")
    }
  }
}
