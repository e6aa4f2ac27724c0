import Failures
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FileSystem

@Suite("A directory with its temporary name: its owner, and what a killed run left in it")
struct PartialDirectoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let isOwn: PartialDirectory.OwnNames = { name, isFolder in
    !isFolder && ["a.csv", "b.csv"].contains(name)
  }

  private func make() throws(Failure) -> PartialDirectory {
    try PartialDirectory(OutputPlace(path: folder.path("out")), isOwn: Self.isOwn)
  }

  /// Waits if the directory is busy, unless the test holds it.
  private func failure(isHeld: Bool = false) -> Failure? {
    do throws(Failure) {
      _ = try openingWhenFree(isBusy: { !isHeld && $0.isBusy }, make)
      return nil
    } catch {
      return error
    }
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }

  private func makeFolder(_ name: String, mode: Int = 0o700) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
  }

  @Test("the directory is for this user only, and so are its files")
  func modes() throws {
    let partial = try make()
    _ = try partial.makeFile("a.csv")
    #expect(try mode(".out.partial") == 0o700)
    #expect(try mode(".out.partial/a.csv") == 0o600)
    partial.takeAway()
    #expect(try folder.names() == [])
  }

  @Test("a leftover is emptied, and others lose access")
  func leftover() throws {
    try makeFolder(".out.partial", mode: 0o777)
    try folder.write([1, 2, 3], to: ".out.partial/a.csv")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".out.partial/b.csv"), withDestinationPath: try folder.write([9], to: "elsewhere"))
    let partial = try make()
    #expect(try folder.names(in: ".out.partial") == [])
    #expect(try mode(".out.partial") == 0o700)
    #expect(try folder.bytes(of: "elsewhere") == [9], "a link is removed, not its target")
    withExtendedLifetime(partial) {}
  }

  @Test("what no run leaves behind is not taken over", arguments: ["a file", "a link", "a stranger", "a folder in it"])
  func strangers(kind: String) throws {
    try makeFolder("elsewhere")
    switch kind {
    case "a file": try folder.write([1], to: ".out.partial")
    case "a link":
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(".out.partial"), withDestinationPath: folder.path("elsewhere"))
    case "a stranger":
      try makeFolder(".out.partial")
      try folder.write([1], to: ".out.partial/notes.txt")
    default:
      try makeFolder(".out.partial")
      try makeFolder(".out.partial/a.csv")
    }
    let failure = failure()
    #expect(failure?.isUnavailable == true)
    let said = [
      "a file": "cannot be opened: Not a directory", "a link": "cannot be opened: Not a directory",
      "a stranger": "holds notes.txt, which no run left there; move it elsewhere",
      "a folder in it": "cannot be emptied: Is a directory",
    ]
    #expect(failure?.message == "\(folder.path(".out.partial")): \(said[kind] ?? "")")
    #expect(try folder.names() == [".out.partial", "elsewhere"])
    #expect(try folder.names(in: "elsewhere") == [])
  }

  @Test("another user's directory is not used", .enabled(if: geteuid() == 0))
  func otherOwner() throws {
    try makeFolder(".out.partial")
    #expect(chown(folder.path(".out.partial"), 12345, 12345) == 0)
    let failure = failure()
    #expect(failure?.isUnavailable == true)
    #expect(failure?.message == "\(folder.path(".out.partial")): belongs to user 12345, but this run is user 0")
  }

  @Test("one run at a time, the next as soon as the first is gone")
  func lock() throws {
    var held: PartialDirectory? = try make()
    _ = try held?.makeFile("a.csv")
    #expect(failure(isHeld: true)?.isBusy == true)
    #expect(try folder.names(in: ".out.partial") == ["a.csv"], "the holder's files stay")
    held = nil
    #expect(failure() == nil)
  }

  @Test("a file of that name, or a link, is not written through")
  func exclusiveFiles() throws {
    let partial = try make()
    try folder.write([9], to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".out.partial/a.csv"), withDestinationPath: folder.path("elsewhere"))
    #expect(throws: Failure.self) { _ = try partial.makeFile("a.csv") }
    #expect(try folder.bytes(of: "elsewhere") == [9])
  }

  @Test("the parent may be renamed during a run: the output stays in it")
  func renamedParent() throws {
    try makeFolder("parent")
    let partial = try PartialDirectory(OutputPlace(path: folder.path("parent/out")), isOwn: Self.isOwn)
    try FileManager.default.moveItem(atPath: folder.path("parent"), toPath: folder.path("moved"))
    _ = try partial.makeFile("a.csv")
    #expect(try folder.names(in: "moved/.out.partial") == ["a.csv"])
    partial.takeAway()
    #expect(try folder.names(in: "moved") == [])
  }
}
