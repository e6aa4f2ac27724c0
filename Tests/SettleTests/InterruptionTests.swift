import Foundation
import Glibc
import Testing

/// Signals that end the command while it is working.
@Suite struct InterruptionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: String
    /// The name in the folder that shows that the command is working.
    let sign: String
    var testDescription: String { arguments }
  }

  static let cases = [
    Case(arguments: "run pipe --output out", sign: ".out.partial"),
    Case(arguments: "run good.jsonl pipe --output out --threads 3", sign: ".out.partial"),
    Case(arguments: "run pipe --output out --ledger ledger", sign: "ledger"),
    Case(arguments: "generate --payments 1000000000 --seed 1 --output made.jsonl", sign: ".made.jsonl.partial"),
    Case(arguments: "generate --payments 1000000000 --seed 1 --output made.lz4", sign: ".made.lz4.partial"),
    Case(arguments: "statement good.jsonl pipe --all-accounts --format stl --output out", sign: ".out.partial"),
    Case(arguments: "journal good.jsonl pipe --format ledger --output made", sign: ".made.partial"),
    // These leave no sign.
    Case(arguments: "validate pipe", sign: ""),
    Case(arguments: "explain pipe --pay-key A", sign: ""),
    Case(arguments: "generate --payments 1000000000 --seed 1 --output pipe", sign: ""),
  ]

  @Test(arguments: cases, [SIGINT, SIGTERM, SIGHUP])
  func endsAtOnceAndLeavesNothing(_ example: Case, number: Int32) throws {
    let folder = try CommandFolder()
    let before = try folder.makePipe()
    let process = try folder.start("exec \"$SETTLE\" \(example.arguments)")
    if !example.sign.isEmpty { try folder.wait(for: example.sign, of: process) }
    try folder.wait(of: process, until: "it watches signals") {
      CommandFolder.isBlocked(SIGTERM, in: process.processIdentifier)
    }
    #expect(process.isRunning)
    let begun = Date()
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    // A second is required; the machine may be very busy. A run that is not cut short would wait for the pipe for ever.
    #expect(Date().timeIntervalSince(begun) < 60)
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + number)
    #expect(try folder.names().sorted() == before)
  }

  @Test("signals after the first do not cut the clean-up short", arguments: cases.prefix(7))
  func endsOnce(_ example: Case) throws {
    let folder = try CommandFolder()
    let before = try folder.makePipe()
    let process = try folder.start("exec \"$SETTLE\" \(example.arguments)")
    try folder.wait(for: example.sign, of: process)
    while process.isRunning { kill(process.processIdentifier, SIGTERM) }
    #expect(process.terminationReason == .exit && process.terminationStatus == 143)
    #expect(try folder.names().sorted() == before)
  }

  @Test("nohup: a signal that is already ignored stays ignored, whatever the others do")
  func ignoredHangup() throws {
    let folder = try CommandFolder()
    _ = try folder.makePipe()
    let process = try folder.start("trap '' HUP; exec \"$SETTLE\" run pipe --output out")
    try folder.wait(for: ".out.partial", of: process)
    kill(process.processIdentifier, SIGHUP)
    usleep(100_000)
    #expect(process.isRunning)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
  }

  @Test("whatever the umask", arguments: ["000", "077", "777"])
  func modes(umask: String) throws {
    let folder = try CommandFolder()
    let process = try folder.start("umask \(umask); exec \"$SETTLE\" run good.jsonl --output out")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let out = folder.url.appendingPathComponent("out")
    #expect(try Self.mode(out) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: out.path) {
      #expect(try Self.mode(out.appendingPathComponent(name)) == 0o600)
    }
  }

  @Test("if standard input, output and error are closed, no file of the run takes their numbers")
  func closedDescriptors() throws {
    let folder = try CommandFolder()
    _ = try folder.makePipe()
    let process = try folder.start("exec \"$SETTLE\" run pipe --output out <&- >&- 2>&-")
    try folder.wait(for: ".out.partial", of: process)
    let held = try (0...2).map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.processIdentifier)/fd/\($0)")
    }
    #expect(held == ["/dev/null", "/dev/null", "/dev/null"])
    process.terminate()
    process.waitUntilExit()
    let reading = try folder.start("exec \"$SETTLE\" validate - <&-")
    reading.waitUntilExit()
    // A missing standard input is not an empty batch.
    #expect(reading.terminationStatus == 74)
  }

  private static func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }
}

extension CommandFolder {
  /// Makes a pipe that no one writes to, and returns the names in the folder.
  func makePipe() throws -> [String] {
    #expect(mkfifo(url.appendingPathComponent("pipe").path, 0o600) == 0)
    return try names().sorted()
  }

  /// Waits until a process has made a file.
  func wait(for name: String, of process: Process) throws {
    try wait(of: process, until: "\(name) is there") { try names().contains(name) }
  }

  /// Waits until a condition holds, for at most three minutes and no longer than the process runs.
  func wait(of process: Process, until what: Comment, _ holds: () throws -> Bool) throws {
    for _ in 0..<18_000 {
      if try holds() { return }
      if !process.isRunning { break }
      usleep(10_000)
    }
    Issue.record("waited in vain until \(what)")
  }

  /// Whether the command, not the shell that starts it, has a signal blocked, so that its own thread waits for it.
  static func isBlocked(_ number: Int32, in process: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return false }
    let mask = status.firstMatch(of: /\nSigBlk:\t([0-9a-f]+)\n/).flatMap { UInt64($0.1, radix: 16) } ?? 0
    return status.hasPrefix("Name:\tsettle\n") && mask >> UInt64(number - 1) & 1 == 1
  }

  /// Starts a shell command; `$SETTLE` is the command that was built with these tests.
  func start(_ command: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SETTLE": Bundle.main.bundleURL.appendingPathComponent("settle").path]) { $1 }
    process.currentDirectoryURL = url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
