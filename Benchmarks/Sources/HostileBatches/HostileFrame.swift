import Input

/// Writes records as an LZ4 frame of independent blocks of 4 MiB.
final class HostileFrame {
  private(set) var bytes = 0
  private var text: [UInt8] = []
  private let frame: LZ4FrameWriter

  init(_ output: @escaping (Span<UInt8>) throws -> Void) throws {
    frame = try LZ4FrameWriter(output: output)
  }

  /// The length of the text so far, which consists of complete records.
  var count: Int { bytes + text.count }

  /// Appends text that `write` adds.
  func append(_ write: (inout [UInt8]) -> Void) throws {
    write(&text)
    while text.count >= LZ4FrameWriter.blockTextMaximum { try flush() }
  }

  /// Ends the frame.
  func finish() throws {
    if !text.isEmpty { try flush() }
    try frame.finish()
  }

  private func flush() throws {
    let count = min(text.count, LZ4FrameWriter.blockTextMaximum)
    let block = Array(text.prefix(count))
    try frame.append(LZ4FrameWriter.compressBlock(block.span).span, of: block.span)
    bytes += count
    text.removeFirst(count)
  }
}
