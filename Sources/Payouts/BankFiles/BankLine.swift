import CSystemCalls
import Glibc

/// A line of a file for the bank.
struct BankLine {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  func begins(_ text: StaticString) -> Bool {
    bytes.count >= text.utf8CodeUnitCount && memcmp(bytes.baseAddress!, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  func begins(_ byte: UInt8) -> Bool { bytes.first == byte }

  /// The text between two texts; nil if they are not in the line.
  func text(_ before: String, _ after: String) -> UnsafeBufferPointer<UInt8>? {
    guard let start = place(of: before, from: 0).map({ $0 + before.utf8.count }),
      let end = place(of: after, from: start)
    else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  func string(_ before: String, _ after: String) -> String {
    text(before, after).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func place(of text: String, from start: Int) -> Int? {
    let line = bytes.baseAddress!
    var text = text
    return text.withUTF8 { text in
      settle_find(text.baseAddress!, text.count, line + start, bytes.count - start).map { $0 - UnsafeRawPointer(line) }
    }
  }

  /// A field of fixed width, without spaces at its ends; nil if the line is shorter, or the field is empty.
  func field(_ field: NACHAField) -> UnsafeBufferPointer<UInt8>? {
    guard bytes.count >= field.range.upperBound else { return nil }
    var field = bytes[field.range]
    while field.last == 0x20 { field.removeLast() }
    while field.first == 0x20 { field.removeFirst() }
    return field.isEmpty ? nil : UnsafeBufferPointer(rebasing: field)
  }

  /// The same as a string, empty if it is not ASCII: then it would not fit into the field again.
  func string(_ field: NACHAField) -> String {
    self.field(field).flatMap { $0.allSatisfy { $0 < 0x80 } ? String(decoding: $0, as: UTF8.self) : nil } ?? ""
  }
}
