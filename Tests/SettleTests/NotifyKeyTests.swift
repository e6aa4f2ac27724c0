import Testing

@Suite("The key file of settle notify")
struct NotifyKeyTests {
  @Test(
    "with what editors add is refused, because listeners have the key without it",
    arguments: [
      ("\u{FEFF}a key of sixteen bytes or more", "the key begins with a byte order mark; "),
      ("a key of sixteen bytes or more\r", "the key ends in CR; "), ("short", "a key has 16 to 4096 bytes"),
    ])
  func refused(key: String, reason: String) throws {
    let folder = try CommandFolder()
    try folder.write("key", key)
    let told = try folder.run(["notify", "none", "good.jsonl", "--output", "outbox", "--key-file", "key"])
    #expect(told.exitCode == 78 && told.said.hasPrefix("settle: error: key: \(reason)"), "\(told.said)")
  }

  @Test("with one line feed at its end is read")
  func accepted() throws {
    let folder = try CommandFolder()
    try folder.write("key", "a key of sixteen bytes or more")
    let told = try folder.run(["notify", "none", "good.jsonl", "--output", "outbox", "--key-file", "key"])
    #expect(told.exitCode == 66 && !told.said.contains("key"), "\(told.said)")
  }
}
