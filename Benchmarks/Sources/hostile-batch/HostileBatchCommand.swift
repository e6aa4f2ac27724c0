import Foundation
import HostileBatches
import Text

/// `hostile-batch NAME BYTES FILE`: makes a hostile batch of about `BYTES` bytes of text, in LZ4. Without arguments,
/// lists their names.
@main
struct HostileBatchCommand {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    guard !arguments.isEmpty else {
      for batch in HostileBatch.allCases { print("\(batch.rawValue)\t\(batch.isMostlyOutput ? "output" : "")") }
      return
    }
    guard arguments.count == 3, let batch = HostileBatch(rawValue: arguments[0]), let bytes = Int(arguments[1])
    else {
      FileHandle.standardError.write(Data("usage: hostile-batch [NAME BYTES FILE]\n".utf8))
      exit(64)
    }
    let place = URL(fileURLWithPath: arguments[2])
    try Data().write(to: place)
    let file = try FileHandle(forWritingTo: place)
    let written = try batch.write(bytes: bytes) { try file.write(contentsOf: Data([UInt8]($0))) }
    try file.close()
    print("\(written.records)\t\(written.bytes)\t\(written.storedBytes)")
  }
}
