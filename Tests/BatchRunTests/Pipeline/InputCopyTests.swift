import FileSystem
import Foundation
import Input
import Testing
import TestSupport

@testable import BatchRun

@Suite("Copies of input that can be read only once")
struct InputCopyTests {
  @Test(
    "the file does not contain the input as plain text, and all of the input can be read again",
    arguments: [0, 1, 65_536, 200_001])
  func enciphered(count: Int) throws {
    let folder = try TemporaryFolder()
    let text = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let pipe = Pipe()
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(text))
      try? pipe.fileHandleForWriting.close()
    }
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let place = try OutputPlace(path: folder.path("out"))
    let source = try InputCopy.sources([path], beside: place)[0]
    let copy = try #require(source.copy?.stored)
    // Twice: once to look for the batch in the ledger, once to settle it.
    for _ in 0..<2 {
      var read: [UInt8] = []
      let file = try StoredBatchFile(path: path, copy: copy)
      let chunk = TextChunk()
      while try file.readNext(into: chunk) { read.append(chunk.span) }
      #expect(read == text)
    }
    // In pieces that begin and end within blocks of the cipher.
    let file = try StoredBatchFile(path: path, copy: copy)
    var (read, piece) = ([UInt8](), [UInt8](repeating: 0, count: 70_001))
    while case let taken = try file.readStored(piece.count, into: &piece), taken > 0 { read += piece[..<taken] }
    #expect(read == text)
    let undeciphered = StoredCopy(descriptor: copy.descriptor) { _, _ in }
    var raw = [UInt8](repeating: 0, count: count + 1)
    #expect(try StoredBatchFile(path: path, copy: undeciphered).readStored(count + 1, into: &raw) == count)
    #expect(count < 8 || Data(raw).range(of: Data(text.prefix(8))) == nil)
  }
}
