import Failures
import FileSystem
import Foundation
import TestSupport
import Testing

/// A directory of many files, all or nothing.
@Suite struct NewOutputTests {
  private static func tree(_ folder: TemporaryFolder) throws(Failure) -> PartialDirectory {
    try PartialDirectory(newOutput: folder.path("out")) { name, isFolder in isFolder ? name.count < 3 : name == "list" }
  }

  private static func write(_ text: String, _ name: String, folder: String?, to tree: PartialDirectory) throws {
    let file = try tree.makeFile(name, folder: folder)
    try file.write(text.utf8Span.span)
    try tree.finish(file, folder: folder)
  }

  @Test func publishes() throws {
    let folder = try TemporaryFolder()
    let tree = try Self.tree(folder)
    try Self.write("one", "a", folder: "1", to: tree)
    try Self.write("two", "b", folder: "2", to: tree)
    try Self.write("all", "list", folder: nil, to: tree)
    #expect(try folder.names() == [".out.partial"])
    try tree.publish(exitCode: 0)
    #expect(try folder.names() == ["out"])
    #expect(try folder.names(in: "out/1") == ["a"] && folder.bytes(of: "out/2/b") == Array("two".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("out/1/a"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func leavesNothingWithoutPublishing() throws {
    let folder = try TemporaryFolder()
    do {
      let tree = try Self.tree(folder)
      try Self.write("one", "a", folder: "1", to: tree)
      let spool = try tree.makeSpool()
      try spool.append([1, 2, 3].span)
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("what a killed process left is removed, unknown files are not")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path(".out.partial/12"), withIntermediateDirectories: true)
    try folder.write([1], to: ".out.partial/12/any name")
    try folder.write([1], to: ".out.partial/list")
    do {
      let tree = try Self.tree(folder)
      #expect(try folder.names(in: ".out.partial").isEmpty)
      try Self.write("one", "a", folder: "12", to: tree)
    }
    try FileManager.default.createDirectory(atPath: folder.path(".out.partial"), withIntermediateDirectories: true)
    try folder.write([1], to: ".out.partial/stranger")
    #expect(failure { () throws(Failure) in _ = try Self.tree(folder) }?.isUnavailable == true)
    #expect(try folder.names(in: ".out.partial") == ["stranger"])
  }

  @Test("a link under a known name is removed, not followed")
  func link() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
    try folder.write([1], to: "other/file")
    try FileManager.default.createDirectory(atPath: folder.path(".out.partial"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".out.partial/12"), withDestinationPath: folder.path("other"))
    #expect(failure { () throws(Failure) in _ = try Self.tree(folder) }?.isUnavailable == true)
    #expect(try folder.names(in: "other") == ["file"])
  }

  @Test func refusesWhatStands() throws {
    let folder = try TemporaryFolder()
    let tree = try Self.tree(folder)
    #expect(failure { () throws(Failure) in _ = try Self.tree(folder) }?.isBusy == true)
    try folder.write([7], to: "out")
    #expect(failure { () throws(Failure) in try tree.publish(exitCode: 0) }?.isUnavailable == true)
    #expect(try folder.bytes(of: "out") == [7])
    let other = try TemporaryFolder()
    try other.write([7], to: "out")
    #expect(failure { () throws(Failure) in _ = try Self.tree(other) }?.isUnavailable == true)
    #expect(try other.names() == ["out"])
  }

  private func failure(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}

extension Failure {
  var isUnavailable: Bool { kind == .unavailable }
  var isBusy: Bool { kind == .busy }
}
