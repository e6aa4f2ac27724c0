import Digests
import Failures
import FileSystem
import Foundation
import Synchronization
import Testing

@testable import Delivery

/// Answers HTTP requests on 127.0.0.1, each on its own connection, with the given statuses in order; the last one is
/// repeated.
private final class SmallServer: Sendable {
  let port: Int
  private let listener: Int32
  /// The heads and bodies that were received.
  let requests = Mutex<[String]>([])

  init(_ statuses: [Int]) {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        precondition(bind(listener, pointer, length) == 0 && listen(listener, 16) == 0)
        getsockname(listener, pointer, &length)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
    Thread.detachNewThread { [self] in
      var due = statuses[...]
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        var text = ""
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while !text.hasSuffix("end") {
          let count = read(connection, &piece, piece.count)
          if count <= 0 { break }
          text += String(decoding: piece[..<count], as: UTF8.self)
        }
        requests.withLock { $0.append(text) }
        let answer =
          "HTTP/1.1 \(due.first ?? 200) X\r\nContent-Length: 0\r\nLocation: /other\r\nConnection: close\r\n\r\n"
        _ = answer.withCString { write(connection, $0, strlen($0)) }
        if due.count > 1 { due.removeFirst() }
        close(connection)
      }
    }
  }

  deinit { close(listener) }
}

/// An outbox in a new file, which is removed with the object.
private final class Mailbox {
  let file = FileManager.default.temporaryDirectory.appending(path: "settle-outbox-" + UUID().uuidString)
  var sent: URL { URL(filePath: file.path + ".sent") }

  init(_ messages: [(key: String, url: String)]) throws {
    var text = ""
    for (place, message) in messages.enumerated() {
      let body = "n=\(place + 1)&end"
      let digest = SHA256.digest(of: Array("\(message.url)\n\(body)".utf8)).hexadecimal
      text +=
        #"{"number":\#(place + 1),"kind":"PAY","payKey":"\#(message.key)","url":"\#(message.url)","#
        + #""digest":"\#(digest)","body":"\#(body)"}"# + "\n"
    }
    try Data(text.utf8).write(to: file)
  }

  deinit { for file in [file, sent] { try? FileManager.default.removeItem(at: file) } }

  /// Delivers it; returns the results and what was reported.
  func deliver(
    to origins: [String], answers: [String: [[String]]] = [:], isPrivate: Bool = true, attempts: Int = 3
  ) throws -> (counts: Delivery.Counts, reported: [String]) {
    var options = DeliveryOptions(
      allowed: origins.compactMap { Origin($0) }, allowsPrivate: isPrivate, timeout: 5, attempts: attempts,
      concurrency: 16)
    options.firstPause = .milliseconds(5)
    let asked = Asked()
    options.lookup = HostLookup { host in
      let number = asked.count.withLock { count in
        defer { count[host, default: 0] += 1 }
        return count[host, default: 0]
      }
      guard let all = answers[host] else { return .failure(.init(reason: "no such name")) }
      return .success(all[min(number, all.count - 1)].compactMap { HostAddress($0) })
    }
    let reports = Reports()
    let counts = try Delivery.send(file.path, options: options) { number, origin, reason in
      reports.lines.withLock { $0.append("\(number) \(origin.map { "\($0)" } ?? "-"): \(reason)") }
    }
    return (counts, reports.lines.withLock { $0 })
  }

  private final class Asked: Sendable {
    let count = Mutex<[String: Int]>([:])
  }
  private final class Reports: Sendable {
    let lines = Mutex<[String]>([])
  }
}

@Suite("Delivering an outbox", .serialized)
struct DeliveryTests {
  @Test(
    "special addresses of both families, and of IPv4 in IPv6",
    arguments: [
      ("8.8.8.8", false), ("0.0.0.0", true), ("10.1.2.3", true), ("100.64.0.1", true), ("100.128.0.1", false),
      ("127.0.0.1", true), ("169.254.169.254", true), ("172.15.0.1", false), ("172.31.0.1", true),
      ("192.0.2.1", true), ("192.168.0.1", true), ("198.18.0.1", true), ("198.20.0.1", false),
      ("203.0.113.9", true), ("224.0.0.1", true), ("255.255.255.255", true), ("::", true), ("::1", true),
      ("::ffff:127.0.0.1", true), ("::ffff:8.8.8.8", false), ("64:ff9b::a00:1", true), ("64:ff9b::808:808", false),
      ("2002:7f00:1::", true), ("2002:808:808::1", false), ("2001::1", true), ("2001:db8::1", true),
      ("2606:4700::1111", false), ("3fff::1", true), ("fc00::1", true), ("fe80::1", true), ("fec0::1", true),
      ("ff02::1", true), ("64:ff9b:1::1", true), ("100::1", true), ("5f00::1", true), ("4000::1", true),
    ])
  func special(text: String, isSpecial: Bool) throws {
    let address = try #require(HostAddress(text))
    #expect(address.isSpecial == isSpecial)
    #expect(HostAddress(address.text) == address)
  }

  @Test("origins match by scheme, port, and host in any letter case")
  func origins() {
    #expect(Origin("https://Shop.example") == Origin("https://shop.example:443"))
    #expect(Origin("http://shop.example") != Origin("https://shop.example"))
    for wrong in ["shop.example", "ftp://a", "https://", "https://a/", "https://a:0", "https://a:65536", "https://a b"]
    {
      #expect(Origin(wrong) == nil, "\(wrong)")
    }
    let target = MessageTarget("http://A.example:80?a=%zz%2f\"|#top")
    #expect(target?.url == "http://a.example/?a=%25zz%2f%22%7C")
  }

  @Test("the connection goes to the checked address, and the host is named")
  func address() throws {
    let server = SmallServer([200])
    let origin = "http://shop.example:\(server.port)"
    let mailbox = try Mailbox([("A", origin + "/ipn?a=1#x")])
    let (counts, reported) = try mailbox.deliver(to: [origin], answers: ["shop.example": [["127.0.0.1"]]])
    #expect(counts == .init(answered: 1) && reported == [])
    let request = try #require(server.requests.withLock { $0.first })
    #expect(request.hasPrefix("POST /ipn?a=1 HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\nn=1&end"))
    #expect(request.lowercased().contains("\r\nhost: shop.example:\(server.port)\r\n"))
    #expect(request.contains("application/x-www-form-urlencoded; charset=UTF-8\r\n"))
  }

  @Test("changing answers of the name server are checked every time")
  func rebinding() throws {
    let server = SmallServer([200])
    let origin = "http://shop.example:\(server.port)"
    let answers = ["shop.example": [[], ["192.0.2.1"], ["127.0.0.1"]]]
    let mailbox = try Mailbox([("A", origin), ("B", "http://other.example")])
    let (counts, reported) = try mailbox.deliver(
      to: [origin, "http://other.example"], answers: answers, isPrivate: false)
    #expect(counts == .init(failed: 2))
    #expect(
      reported.sorted() == [
        "1 \(origin): its address 192.0.2.1 is not public",
        "2 http://other.example: the host cannot be looked up: no such name, the last of 3 attempts",
      ])
    #expect(server.requests.withLock { $0.isEmpty })
  }

  @Test(
    "which failures are tried again",
    arguments: [([429, 503, 204], nil), ([500], "status 500"), ([302], "status 302"), ([404], "status 404")]
      as [([Int], String?)])
  func statuses(statuses: [Int], reason: String?) throws {
    let server = SmallServer(statuses)
    let origin = "http://127.0.0.1:\(server.port)"
    let mailbox = try Mailbox([("A", origin)])
    let (counts, reported) = try mailbox.deliver(to: [origin], answers: ["127.0.0.1": [["127.0.0.1"]]])
    #expect(counts == (reason == nil ? .init(answered: 1) : .init(failed: 1)))
    #expect(reported.first?.hasPrefix("1 \(origin): \(reason ?? "")") ?? (reason == nil))
    #expect(server.requests.withLock { $0.count } == (statuses == [302] || statuses == [404] ? 1 : 3))
  }

  @Test("only allowed origins are contacted, and no message overtakes an earlier one with its pay key")
  func order() throws {
    let (good, bad) = (SmallServer([200]), SmallServer([404]))
    let (origin, other) = ("http://good.example:\(good.port)", "http://bad.example:\(bad.port)")
    let mailbox = try Mailbox([
      ("A", origin), ("A", other), ("A", origin), ("B", "http://else.example"), ("C", origin), ("C", origin),
    ])
    let answers = ["good.example": [["127.0.0.1"]], "bad.example": [["127.0.0.1"]], "else.example": [["127.0.0.1"]]]
    let (counts, reported) = try mailbox.deliver(to: [origin, other], answers: answers)
    #expect(counts == .init(answered: 3, failed: 3))
    #expect(
      Set(reported) == [
        "4 http://else.example: is not allowed; name its origin with --allow", "2 \(other): status 404",
        "3 \(origin): an earlier message of the same key was not answered",
      ])
    let bodies = good.requests.withLock { $0.map { $0.suffix(7) } }
    #expect(bodies.contains("n=1&end") && bodies.count == 3)
    #expect(bodies.firstIndex(of: "n=5&end") ?? 9 < bodies.firstIndex(of: "n=6&end") ?? 0)
    // A later run sends only the messages that are left.
    let again = try mailbox.deliver(to: [origin], answers: answers)
    #expect(again.counts == .init(answered: 0, before: 3, failed: 3))
    #expect(good.requests.withLock { $0.count } == 3)
  }

  @Test("a damaged outbox sends nothing; an incomplete line of the log is removed; a second run does not wait")
  func files() throws {
    let server = SmallServer([200])
    let origin = "http://127.0.0.1:\(server.port)"
    let answers = ["127.0.0.1": [["127.0.0.1"]]]
    let mailbox = try Mailbox([("A", origin), ("B", origin)])
    let text = try String(contentsOf: mailbox.file, encoding: .utf8)
    try Data(text.replacing("n=2&", with: "n=3&").utf8).write(to: mailbox.file)
    var failure = #expect(throws: Failure.self) { try mailbox.deliver(to: [origin], answers: answers) }
    #expect(failure?.exitCode == 66)
    #expect(server.requests.withLock { $0.isEmpty })
    try Data(text.utf8).write(to: mailbox.file)
    try Data("0123abc".utf8).write(to: mailbox.sent)
    #expect(try mailbox.deliver(to: [origin], answers: answers).counts == .init(answered: 2))
    let sent = try String(contentsOf: mailbox.sent, encoding: .utf8).split(separator: "\n")
    #expect(sent.count == 2 && sent.allSatisfy { $0.utf8.count == 64 })
    let held = try SentLog(ofOutbox: mailbox.file.path)
    failure = #expect(throws: Failure.self) { try mailbox.deliver(to: [origin], answers: answers) }
    #expect(failure?.exitCode == 75 && held.known.count == 2)
  }
}
