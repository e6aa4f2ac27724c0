import Failures
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FileSystem

@Suite("A file that appears complete or not at all")
struct PartialFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], to file: PartialFile) throws {
    try file.write(bytes.span)
  }

  @Test("it is next to its final place until it is published, and then replaces an old one", arguments: [false, true])
  func publishes(replaces: Bool) throws {
    if replaces { try folder.write([1, 1, 1], to: "made") }
    let file = try PartialFile(path: folder.path("made"))
    try write([2], to: file)
    #expect(try folder.names() == (replaces ? [".made.partial", "made"] : [".made.partial"]))
    if replaces { #expect(try folder.bytes(of: "made") == [1, 1, 1]) }
    try file.publish()
    #expect(try folder.names() == ["made"])
    #expect(try folder.bytes(of: "made") == [2])
  }

  @Test("if it must not replace anything, a file that appeared meanwhile stays")
  func replacesNothing() throws {
    let file = try PartialFile(path: folder.path("made"))
    try write([2], to: file)
    try folder.write([1], to: "made")
    #expect(throws: Failure.self) { try file.publish(replaces: false) }
    #expect(try folder.bytes(of: "made") == [1])
    try FileManager.default.removeItem(atPath: folder.path("made"))
    try file.publish(replaces: false)
    #expect(try folder.names() == ["made"])
    #expect(try folder.bytes(of: "made") == [2])
  }

  @Test(
    "a slash ends a name, whatever marks follow it", arguments: ["\u{301}made", "\u{20DD}", "made/", "made//"])
  func names(name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
    try PartialFile(path: folder.path("in") + "/" + name).publish()
    #expect(try folder.names(in: "in") == [name.replacing("/", with: "")])
  }

  @Test("an unpublished one leaves nothing behind and does not change an old one")
  func abandoned() throws {
    try folder.write([1], to: "made")
    try write([2], to: try PartialFile(path: folder.path("made")))
    #expect(try folder.names() == ["made"])
    #expect(try folder.bytes(of: "made") == [1])
  }

  @Test("what a killed process left is replaced, a link without following it", arguments: ["a file", "a link"])
  func leftover(kind: String) throws {
    if kind == "a file" {
      try folder.write([1, 2, 3], to: ".made.partial")
      let file = try PartialFile(path: folder.path("made"))
      try write([4], to: file)
      try file.publish()
      #expect(try folder.names() == ["made"])
      #expect(try folder.bytes(of: "made") == [4])
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(".made.partial"), withDestinationPath: try folder.write([9], to: "elsewhere"))
      #expect(throws: Failure.self) { _ = try PartialFile(path: folder.path("made")) }
      #expect(try folder.bytes(of: "elsewhere") == [9])
    }
  }

  @Test("one process at a time")
  func busy() throws {
    let held = try PartialFile(path: folder.path("made"))
    do throws(Failure) {
      _ = try PartialFile(path: folder.path("made"))
      Issue.record("two hold it")
    } catch {
      #expect(error.isBusy)
      #expect(error.message == "\(folder.path(".made.partial")): another process is writing it; wait for it to end")
    }
    #expect(try folder.names() == [".made.partial"])
    withExtendedLifetime(held) {}
  }
}
