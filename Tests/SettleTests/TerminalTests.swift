import Foundation
import TestSupport
import Testing

/// What the command prints about arguments that would control the terminal.
@Suite("Control characters in arguments")
struct TerminalTests {
  /// Colors, a bell, a title, a line of its own, and bytes that terminals interpret as commands.
  static let hostile = [
    "\u{1B}[31mred", "\u{1B}]0;title\u{7}", "a\rb", "a\nsettle: all is well", "\u{9B}2J", "a\u{8}\u{7F}",
    "\t\u{B}\u{C}", "a\u{202E}b\u{2066}",
  ]

  /// Where it may occur; `?` is the place.
  static let commands = [
    "?", "--?", "help ?", "run ?", "run good.jsonl ?", "run good.jsonl --?", "run good.jsonl --output ?/x",
    "run good.jsonl --output out --threads ?", "run good.jsonl --output out --threads=?",
    "run good.jsonl --output out --fees ?", "run good.jsonl --output out --ledger ?/x", "run ? --output out",
    "run good.jsonl --output out --metrics ?/x", "run good.jsonl --output out --log-format ?",
    "run good.jsonl --output out --log-level ?", "run good.jsonl --output out --control-totals ?",
    "validate ?", "validate good.jsonl --format ?", "explain good.jsonl --pay-key ?", "explain ? --pay-key K",
    "statement good.jsonl --account ? --format stl --output out", "statement good.jsonl --all-accounts --format ?",
    "statement good.jsonl --all-accounts --format csv --output out --date ?",
    "journal good.jsonl --format ? --output out", "journal good.jsonl --format ledger --output ?/x",
    "journal good.jsonl --format ledger --output out --date ?", "verify ?", "verify folder --batch ?",
    "verify folder --format ?", "report ? --html page", "report folder --html ?/x", "history --ledger ?",
    "history --ledger x --pay-key ?", "history --ledger ? --account x", "find ? --ledger x",
    "history --ledger x --since ?", "ledger verify ?", "ledger adopt ?",
    "ledger backup ? x", "ledger ?",
    "generate --payments ?", "generate --payments 1 --seed 1 --output ?/x",
    "import ? --format adaptive-nvp --output out",
    "import pay.txt --format ? --output out", "import pay.txt --format adaptive-json --output ?/x", "currencies ?",
    "fees ?", "fees --fees ?", "schema ?",
  ]

  @Test("nothing of it reaches the terminal", arguments: commands)
  func isEscaped(command: String) throws {
    let folder = try CommandFolder()
    for text in isThorough ? Self.hostile : [Self.hostile.joined()] {
      let arguments = command.split(separator: " ").map { $0.replacingOccurrences(of: "?", with: text) }
      for more in [[], ["--log-format", "json"]] {
        let (exitCode, said) = try folder.run(arguments + more)
        #expect(exitCode < 128)
        let wrong = said.unicodeScalars.filter {
          [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
        }
        #expect(wrong.isEmpty, "\(said.debugDescription)")
        #expect(!said.split(separator: "\n").contains("settle: all is well"), "\(said.debugDescription)")
      }
    }
  }
}
