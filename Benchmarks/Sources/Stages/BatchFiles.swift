import Foundation
import SampleBatch
import TestSupport
import Text

extension TemporaryFolder {
  /// Makes a file from pieces, and returns its path.
  func file(_ name: String, _ write: ((Span<UInt8>) throws -> Void) throws -> Void) throws -> String {
    let path = path(name)
    try Data().write(to: URL(fileURLWithPath: path))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try write { try handle.write(contentsOf: Data([UInt8]($0))) }
    try handle.close()
    return path
  }

  /// Makes a sample batch in independent LZ4 blocks, and returns its path and the number of bytes of its text.
  func sampleBatch(payments: Int, defectsPerMillion: UInt32 = 0) throws -> (path: String, bytes: Int) {
    var bytes: UInt64 = 0
    let path = try file("batch.jsonl.lz4") { write in
      let options = SampleBatchOptions(payments: payments, seed: 1, defectsPerMillion: defectsPerMillion, threads: 2)
      bytes = try SampleBatch.write(options, isLZ4: true, output: write).bytes
    }
    return (path, Int(bytes))
  }
}
