import CLZ4
import Text

/// Texts as LZ4, within blocks. (Unsafe: the library reads only the bytes of spans, and writes within the room that it
/// gets; the number of bytes that it says it wrote is what counts.)
enum PackedText {
  /// The most bytes that a text takes.
  static func bound(_ text: Span<UInt8>) -> Int { Int(LZ4_compressBound(Int32(text.count))) }

  /// Appends a text to the beginning of a row.
  static func append(_ text: Span<UInt8>, to row: inout TextBuffer) {
    let bound = bound(text)
    row.append(atMost: bound) { room in
      unsafe room.withUnsafeMutableBufferPointer { room, written in
        written = unsafe text.withUnsafeBytes { text in
          unsafe Int(LZ4_compress_default(text.baseAddress, room.baseAddress, Int32(text.count), Int32(bound)))
        }
      }
      precondition(room.count > 0, "LZ4 has room for any text")
    }
  }

  /// The first bytes of a text, without unpacking the rest; fewer if it is shorter or damaged.
  static func beginning(_ packed: Span<UInt8>, count: Int) -> [UInt8] {
    [UInt8](capacity: count) { room in
      unsafe room.withUnsafeMutableBufferPointer { room, written in
        let length = unsafe packed.withUnsafeBytes { packed in
          unsafe LZ4_decompress_safe_partial(
            packed.baseAddress, room.baseAddress, Int32(packed.count), Int32(count), Int32(count))
        }
        written = max(0, Int(length))
      }
    }
  }

  /// Reads a text in place of another one; false if it does not have the length that it should have.
  static func read(_ packed: Span<UInt8>, length: UInt32, into text: inout [UInt8]) -> Bool {
    guard length > 0, let length = Int32(exactly: length) else { return false }
    text.removeAll(keepingCapacity: true)
    text.append(addingCapacity: Int(length)) { room in
      unsafe room.withUnsafeMutableBufferPointer { room, written in
        let count = unsafe packed.withUnsafeBytes { packed in
          unsafe LZ4_decompress_safe(packed.baseAddress, room.baseAddress, Int32(packed.count), length)
        }
        written = max(0, Int(count))
      }
    }
    return text.count == length
  }
}
