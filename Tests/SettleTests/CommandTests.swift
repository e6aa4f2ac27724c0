import BatchRun
import Foundation
import Rules
import Testing
import TestSupport

/// The built command, run as a user runs it: exit codes and output.
@Suite struct CommandTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let exitCode: Int32
    /// A part of the output, on either stream.
    let says: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ exitCode: Int32, _ says: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.exitCode = exitCode
      self.says = says
    }
  }

  static let cases = [
    Case("run good.jsonl --output out", 0, "1 settled, 0 rejected"),
    Case("run bad.jsonl --output out", 1, "Rejected most often for: AMOUNT_NOT_POSITIVE 1"),
    Case("run headed.jsonl --output out", 2, "TRAILER_MISSING: headed.jsonl: "),
    Case("run good.jsonl headed.jsonl --output out", 2, "headed.jsonl:1: error: HEADER_NOT_FIRST: "),
    Case("run good.jsonl", 64, "--output"),
    Case("run good.jsonl --ouptut out", 64, "Unknown option '--ouptut'. Did you mean '--output'?\n"),
    Case("run good.jsonl --ouptut=out --log-format json", 64, "Unknown option '--ouptut'. Did you mean '--output'?"),
    Case("run good.jsonl --output out --theads 1", 64, "Unknown option '--theads'. Did you mean '--threads'?"),
    Case("valdiate good.jsonl", 64, "Unknown command 'valdiate'. Did you mean 'validate'?\n"),
    Case("help rnu", 64, "Unknown command 'rnu'. Did you mean 'run'?\n"),
    Case("settle", 64, "settle: error: Unknown command 'settle'.\n"),
    Case("help run", 0, "Settle a batch"),
    Case("run --output out", 64, "batch"),
    Case("run good.jsonl --output out --threads 0", 64, "1 to 1024"),
    Case(
      "run s3://KEY:SECRET@bucket/night?region=eu --output out", 64,
      "settle: error: s3://bucket/night: give credentials in the environment, not in the URI.\n"),
    Case("run good.jsonl --output=s3://KEY@bucket/out", 64, "s3://bucket/out: give credentials in the environment"),
    Case("run - - --output out", 64, "only once"),
    Case("run - --fees - --output out", 64, "only once"),
    Case("validate - --fees -", 64, "only once"),
    Case("run missing.jsonl --output out", 66, "missing.jsonl: cannot open the file"),
    Case("run folder --output out", 66, "folder: cannot open the file: it is a directory"),
    Case("run good.jsonl --output out --fees missing.json", 66, "missing.json: cannot open the fee schedule"),
    Case("run good.jsonl --output folder", 73, "folder: exists already"),
    Case("run good.jsonl --output nowhere/out", 73, "this directory must exist"),
    Case("run good.jsonl --output good.jsonl --replace", 73, "is not a directory of reports"),
    Case("run good.jsonl --output out --fees fees.json", 78, "settle: error: fees.json: rounding: is missing"),
    Case("run good.jsonl --output out --taxes fees.json", 78, "fees.json: rounding: is missing"),
    Case("validate - --taxes -", 64, "only once"),
    Case(
      "run good.jsonl --output out --taxes fees.json --metrics fees.json", 64, "--metrics names what settle run reads"),
    Case("validate good.jsonl", 0, "1 record: 1 valid"),
    Case("validate bad.jsonl", 1, "bad.jsonl:1: error: AMOUNT_NOT_POSITIVE at /subTotal: "),
    Case("validate bad.jsonl --format jsonl", 1, #""severity":"error","code":"AMOUNT_NOT_POSITIVE""#),
    Case("validate headed.jsonl", 2, "TRAILER_MISSING"),
    Case(
      "run unpaid.txt --output out", 2,
      "settle: error: NOT_A_BATCH: unpaid.txt: the only record cannot be read as a JSON object; it begins"),
    Case("validate good.jsonl --require-trailer", 2, "TRAILER_MISSING: good.jsonl: the batch has no trailer"),
    Case("run bad.jsonl --output out --max-rejected 0", 2, "TOO_MANY_REJECTED: more than 0"),
    Case("run bad.jsonl good.jsonl --output out --max-rejected 50%", 1, "1 settled, 1 rejected"),
    Case("run bad.jsonl good.jsonl --output out --max-rejected 49.9%", 2, "1 of 2 records are rejected, expected at"),
    Case("journal bad.jsonl --format ledger --output - --max-rejected 0", 2, "TOO_MANY_REJECTED"),
    Case("run good.jsonl --output out --max-rejected 101%", 64, "--max-rejected"),
    Case("run typo.jsonl --output out", 1, "Rejected most often for: UNKNOWN_FIELD 1."),
    Case(
      "run typo.jsonl --output out --unknown-fields note", 0,
      "Noticed, and not rejected: UNKNOWN_FIELD 1. settle validate --notices lists them."),
    Case("run typo.jsonl --output out --unknown-fields reject", 1, "Rejected most often for: UNKNOWN_FIELD 1."),
    Case("run typo.jsonl --output out --unknown-fields no", 64, "'suspect', 'reject' or 'note'"),
    Case("validate typo.jsonl", 1, "error: UNKNOWN_FIELD at /paymentCurency: its object has"),
    Case(
      "validate typo.jsonl --unknown-fields note --notices", 0,
      "at /paymentCurency: unknown field; it is ignored; did you mean paymentCurrency?"),
    Case("validate typo.jsonl --unknown-fields note", 0, "1 notice is not listed (--notices)"),
    Case("validate typo.jsonl --unknown-fields reject", 1, "error: UNKNOWN_FIELD at /paymentCurency: its object has"),
    Case("explain typo.jsonl --pay-key T-1 --unknown-fields reject", 1, "Payment T-1: REJECTED"),
    Case("journal typo.jsonl --format ledger --output - --unknown-fields reject", 1, "0 transactions; 1 rejected"),
    Case(
      "statement typo.jsonl --all-accounts --format csv --output out --date 2026-11-20 --unknown-fields reject", 1,
      "1 rejected"),
    Case("verify folder --unknown-fields reject", 64, "name the batch with --batch"),
    Case("validate headed.jsonl --format jsonl", 2, #""severity":"fatal","code":"TRAILER_MISSING""#),
    Case(
      "validate bad.jsonl --format github", 1, "::error file=bad.jsonl,line=1,title=AMOUNT_NOT_POSITIVE at /subTotal::"),
    Case("validate missing.jsonl --format sarif", 66, #""results":[\#n],"invocations":[{"executionSuccessful":false"#),
    Case("validate bad.jsonl", 1, "error     AMOUNT_NOT_POSITIVE      1\n1 record: 0 valid, 1 rejected with 1 error; "),
    Case("validate bad.jsonl --max-findings 0", 1, "1 more is not listed (--max-findings)\n"),
    Case("validate bad.jsonl --max-findings -1", 64, "--max-findings"),
    Case("validate bad.jsonl --log-format json", 1, #""errors":{"AMOUNT_NOT_POSITIVE":1}"#),
    Case("explain good.jsonl --pay-key G-1", 0, "Payment G-1: SETTLED"),
    Case("explain good.jsonl --pay-key G-2", 1, "no payment with the key G-2"),
    Case("explain good.jsonl --pay-key ?", 64, "--pay-key"),
    Case("explain good.jsonl", 64, "with --pay-key, --refund-key or --line"),
    Case("explain good.jsonl --line 1 --pay-key G-1", 0, "Payment G-1: SETTLED"),
    Case("explain good.jsonl bad.jsonl --line bad.jsonl:1", 1, "Payment B-1: REJECTED"),
    Case("explain good.jsonl --line 2", 1, "good.jsonl:2: no record; "),
    Case("explain headed.jsonl --line 1", 1, "headed.jsonl:1: the header, not a payment"),
    Case("explain good.jsonl bad.jsonl --line 1", 64, "--line takes FILE:N if"),
    Case("explain good.jsonl --line bad.jsonl:1", 64, "--line takes FILE:N if"),
    Case("explain good.jsonl --line 0", 64, "'--line <n>': expected a line's number, from 1, or FILE:N"),
    Case("split --total 10.00 --currency USD a:share=2 b:share=1", 0, "a,6.67\nb,3.33"),
    Case(
      "split --total 10.00 --currency USD a:share=1,share=2", 1,
      "settle: error: DUPLICATE_FIELD: share is given twice in one object\n"),
    Case("split --total 10.00 --currency USD a", 64, "NAME:TERMS"),
    Case("generate --payments 5 --seed 1 --output made.jsonl", 0, "5 payments"),
    Case("generate --payments 5 --seed 1 --output good.jsonl", 73, "good.jsonl: exists already; --replace replaces it"),
    Case("generate --payments 5 --seed 1 --output link", 73, "link: exists already; --replace replaces it"),
    Case("generate --payments 5 --seed 1 --output good.jsonl --replace", 0, "5 payments"),
    Case("generate --payments 5 --seed 1 --output made.jsonl.gz", 64, "never as .gz"),
    Case("generate --payments 5 --seed 1 --output made.ZST", 64, "never as .zst"),
    Case("import pay.txt --format adaptive-nvp --output good.jsonl", 73, "good.jsonl: exists already; --replace"),
    Case("import pay.txt --format adaptive-nvp --output link", 73, "link: exists already; --replace replaces it"),
    Case("import pay.txt --format adaptive-nvp --output good.jsonl --replace", 0, "1 request: 1 imported"),
    Case("import pay.txt --format adaptive-nvp --output made.zip", 64, "never as .zip"),
    Case("generate --payments 5 --seed 1 --defects 2 --output made.jsonl", 64, "from 0 to 1"),
    Case("generate --payments 5 --seed 1 --output nowhere/made.jsonl", 73, "this directory must exist"),
    Case("generate --payments 5 --seed 1 --output folder", 73, "folder: is a directory"),
    Case("generate --payments 5 --seed 1 --output /dev/full", 74, "No space left"),
    Case("verify out", 66, "out: cannot open the directory: No such file"),
    Case("verify folder", 66, "folder: this directory holds no reports"),
    Case("verify damaged --format jsonl", 1, #""field":null,"found":null,"expected":null,"reason":"is missing"}"#),
    Case("verify folder --fees fees.json", 64, "name the batch with --batch"),
    Case("verify folder --batch good.jsonl --fees fees.json", 78, "fees.json: rounding: is missing"),
    Case("verify folder --batch - - ", 64, "only once"),
    Case("verify folder --batch - --fees -", 64, "only once"),
    Case("verify damaged --batch missing.jsonl", 66, "missing.jsonl: cannot open the file"),
    Case("verify damaged --batch headed.jsonl", 2, "TRAILER_MISSING"),
    Case("run good.jsonl --output out --metrics nowhere/settle.prom", 0, "nowhere: No such file or directory"),
    Case("run good.jsonl --output out --metrics folder", 73, "folder: is not a regular file"),
    Case("run good.jsonl --output out --metrics fees.json", 73, "holds something other than the metrics of settle"),
    Case("run good.jsonl --output out --metrics ./good.jsonl", 64, "--metrics names what settle run reads"),
    Case(
      "run good.jsonl --output out --fees fees.json --metrics fees.json", 64, "--metrics names what settle run reads"),
    Case("run good.jsonl --output out --ledger ledger --metrics ledger", 64, "--metrics names what settle run reads"),
    Case("run good.jsonl --output out --ledger ledger --metrics folder/../ledger-lock", 64, "--metrics names"),
    Case("run good.jsonl --output out --metrics out/", 64, "--metrics names what settle run reads, keeps or publishes"),
    Case("run good.jsonl --output folder --metrics folder/settle.prom", 64, "--metrics names what settle run reads"),
    Case("run good.jsonl --output ledger-journal --ledger ledger", 64, "--output names the ledger"),
    Case("run good.jsonl --output out --log-level loud", 64, "debug, info, notice, warning or error"),
    Case("statement good.jsonl --all-accounts --format stl --output out --date 2026-11-20", 0, "1 statement of 1 row"),
    Case("statement bad.jsonl --account a@b.example --format csv --output out --date 2026-11-20", 1, "1 rejected"),
    Case("statement good.jsonl --all-accounts --format stl --output out", 64, "use --date YYYY-MM-DD"),
    Case(
      "statement good.jsonl --all-accounts --format stl --output out --date 2026-02-29", 64,
      "there is no 29 February 2026"),
    Case("statement good.jsonl --format stl --output out", 64, "either --account"),
    Case("statement good.jsonl --all-accounts --account a@b.example --format stl --output out", 64, "either --account"),
    Case("statement good.jsonl --account ab --format stl --output out", 64, "ab is neither"),
    Case("statement good.jsonl --all-accounts --format pdf --output out", 64, "one of 'stl', 'csv' or 'html'"),
    Case("statement headed.jsonl --all-accounts --format csv --output out --date 2026-11-20", 2, "TRAILER_MISSING"),
    // This is reported before the first record, and so before what is wrong at the end.
    Case("statement headed.jsonl --all-accounts --format csv --output out", 64, "use --date YYYY-MM-DD"),
    Case("statement missing.jsonl --all-accounts --format csv --output out", 66, "missing.jsonl: cannot open the file"),
    Case("statement good.jsonl --all-accounts --format csv --output folder", 73, "folder: exists already"),
    Case("journal good.jsonl --format hledger --output made --date 2026-11-20", 0, "1 record: 1 transaction; 0"),
    Case("journal good.jsonl --format ledger --output - --date 2026-11-20", 0, "assets:senders:unknown  10.00 USD\n"),
    Case("journal good.jsonl --format beancount --output /dev/stdout --date 2026-11-20", 0, "balance Income:Fees  "),
    Case("journal bad.jsonl --format ledger --output -", 1, "1 record: 0 transactions; 1 rejected"),
    Case("journal headed.jsonl --format ledger --output - --date 2026-11-20", 2, "TRAILER_MISSING"),
    Case("journal good.jsonl --format ledger --output made.journal", 64, "payment G-1 has no createdAt"),
    Case(
      "journal good.jsonl --format ledger --output made.journal --date 2026-02-29", 64,
      "settle: error: The value '2026-02-29' is invalid for '--date <YYYY-MM-DD>': expected a day like 2026-11-20; there "
        + "is no 29 February 2026\n"),
    Case(
      "history --ledger ledger --since 2026-11", 64,
      "The value '2026-11' is invalid for '--since <YYYY-MM-DD>': expected a day like 2026-11-20\n"),
    Case("journal good.jsonl --format gnucash --output made.journal", 64, "'hledger', 'ledger' or 'beancount'"),
    Case("journal missing.jsonl --format ledger --output made.journal", 66, "missing.jsonl: cannot open the file"),
    Case("journal good.jsonl --format ledger --output bad.jsonl", 73, "bad.jsonl: exists already"),
    Case("journal good.jsonl --format ledger --output folder", 73, "folder: is a directory"),
    Case("journal good.jsonl --format ledger --output nowhere/made", 73, "this directory must exist"),
    Case("journal good.jsonl --format ledger --output /dev/full --date 2026-11-20", 74, "No space left"),
    Case("journal good.jsonl --format ledger --output made.journal --fees fees.json", 78, "rounding: is missing"),
    Case("import pay.txt --format adaptive-nvp --output made.jsonl", 0, "1 request: 1 imported, 0 wrong with 0 errors"),
    Case("import pay.txt --format adaptive-nvp --output -", 0, #""recordCount":1,"totals":{"USD":"1.00"}"#),
    Case(
      "import pay.txt --format adaptive-json --output made.jsonl", 1, "pay.txt:1: error: 580001: expected an object"),
    Case("import pay.txt unpaid.txt --format adaptive-nvp --output made.jsonl", 1, "; nothing is written"),
    Case("import unpaid.txt --format adaptive-nvp --output -", 1, "unpaid.txt:1: error: 580029 at receiverList: "),
    Case("import unpaid.txt --format adaptive-nvp --skip-invalid --output -", 1, #""recordCount":0,"totals":{}"#),
    Case(
      "import broken.json --format adaptive-json --output made.jsonl", 2, "broken.json: could not be read to its end"),
    Case("import pay.txt --format xml --output made.jsonl", 64, "adaptive-json"),
    Case("import - - --format adaptive-nvp --output made.jsonl", 64, "only once"),
    Case(
      "import pay.txt --format adaptive-nvp --output made.jsonl --created-at 2026-02-30T00:00:00Z", 64,
      "--created-at takes a date and time like 2026-11-20T18:00:00Z; there is no day 2026-02-30."),
    Case("import missing.txt --format adaptive-nvp --output made.jsonl", 66, "cannot open the requests: No such file"),
    Case("import folder --format adaptive-nvp --output made.jsonl", 66, "cannot read the requests"),
    Case("import pay.txt --format adaptive-nvp --output folder", 73, "folder: is a directory"),
    Case("import pay.txt --format adaptive-nvp --output /dev/full", 74, "No space left"),
    Case("notify folder --output made", 64, "Missing expected argument '<batch> ...'"),
    Case("report folder --html page.html", 66, "folder/summary.json: is missing"),
    Case("report folder --html folder/page.html", 73, "is in the directory of reports"),
    Case(
      "report folder --html good.jsonl --replace", 73, "good.jsonl: is not a page that settle made; --replace replaces"),
    Case(
      "report folder --html link --replace", 73, "link: is not a page that settle made; --replace replaces nothing else"
    ),
    Case("report folder --html good.jsonl", 73, "good.jsonl: exists already; --replace replaces it"),
    Case("schema", 0, "https://json-schema.org/draft/2020-12/schema"),
    Case("schema --reports", 0, #""path":"receivers.csv""#),
    Case("schema --reports --fees fees.json", 78, "is missing"),
    Case("schema --payouts --fees fees.json", 64, "--fees is for --reports."),
    Case("schema --reports --terms", 64, "--terms is for --payouts."),
    Case("currencies", 0, "Turkish Lira"),
    Case("--version", 0, "\(BatchRun.version) ("),
    Case("payout --help", 0, "--payees <file>"),
    Case("payout -h", 0, "settle payout adopt enters a payout"),
    Case("help payout", 0, "--payees <file>"),
    Case("fees", 0, "HALF_UP"),
    Case("fees --fees fees.json", 78, "is missing"),
  ]

  @Test("with the schedule of a night that shows names, fees.csv is described")
  func describedFees() throws {
    let folder = try CommandFolder()
    try folder.write("fees.json", String(decoding: FeeSchedule.named.text, as: UTF8.self))
    let path = #""path":"fees.csv""#
    #expect(try !folder.run(["schema", "--reports"]).said.contains(path))
    let described = try folder.run(["schema", "--reports", "--fees", "fees.json"])
    #expect(described.exitCode == 0 && described.said.contains(path), "\(described.said)")
  }

  @Test(arguments: cases)
  func endsWithItsExitCode(_ example: Case) throws {
    let folder = try CommandFolder()
    let (exitCode, said) = try folder.run(example.arguments)
    #expect(exitCode == example.exitCode, "\(said)")
    #expect(said.contains(example.says), "\(said)")
    // Nothing half-made stays behind in any case.
    #expect(try folder.names().filter { $0.hasSuffix(".partial") }.isEmpty)
    let publishes = ["run", "statement"].contains(example.arguments[0]) && example.exitCode <= 1
    #expect(try folder.names().contains("out") == publishes)
  }

  @Test(
    "having more files than may be open fails only if the system allows no more",
    arguments: ["ulimit -S -n 64", "ulimit -n 64"])
  func manyFiles(limits: String) throws {
    let folder = try CommandFolder()
    let process = try folder.start(
      """
      for n in $(seq 100); do echo '{"payKey":"K-'$n'","recipient":"a@b.example","subTotal":"1.00"}' >part-$n.jsonl; done
      \(limits) && exec "$SETTLE" run part-*.jsonl --output out >said 2>&1
      """)
    process.waitUntilExit()
    let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
    #expect(process.terminationStatus == (limits.contains("-S") ? 0 : 66), "\(said)")
    #expect(
      said.contains(limits.contains("-S") ? "100 settled" : "cannot open the file: Too many open files"), "\(said)")
  }

  @Test("an explanation checks the whole batch if that is asked for", arguments: ["mixed.jsonl", "-"])
  func explainedAndChecked(batch: String) throws {
    let folder = try CommandFolder()
    try folder.write("mixed.jsonl", #"{"payKey":"A","recipient":"a@x.example","subTotal":"1.00"}"# + "\n{}")
    for (options, exitCode, code) in [
      (["--max-rejected", "1"], 0, "Payment A: SETTLED"), (["--max-rejected", "49%"], 2, "TOO_MANY_REJECTED"),
      (["--require-trailer"], 2, "TRAILER_MISSING"),
    ] {
      let told = try folder.runApart(
        ["explain", batch, "--pay-key", "A"] + options,
        input: FileHandle(forReadingFrom: folder.url.appendingPathComponent("mixed.jsonl")))
      #expect(told.output.hasPrefix("Payment A: SETTLED"))
      #expect(told.exitCode == exitCode && (told.output + told.error).contains(code), "\(told.error)")
    }
  }

  @Test("with --quiet only warnings and errors are written", arguments: ["--quiet", "-q"])
  func quiet(option: String) throws {
    let folder = try CommandFolder()
    #expect(
      try folder.run(["run", "good.jsonl", "--output", "out", "--ledger", "ledger", option]).said
        == "settle: warning: new ledger ledger: no earlier run is known\n")
    try folder.write("other.jsonl", #"{"payKey":"Z","recipient":"shop@x.example","subTotal":"10.00"}"#)
    for arguments in [
      ["run", "other.jsonl", "--output", "second", "--ledger", "ledger"],
      ["validate", "good.jsonl", "--ledger", "ledger"],
      ["generate", "--payments", "1", "--seed", "1", "--output", "made"],
    ] {
      let (exitCode, said) = try folder.run(arguments + [option])
      #expect(exitCode == 0 && said == "")
    }
    #expect(
      try folder.run(["validate", "bad.jsonl", option]).said.contains("bad.jsonl:1: error: AMOUNT_NOT_POSITIVE"))
    #expect(
      try folder.run(["run", "missing.jsonl", "--output", "none", option]).said.hasPrefix(
        "settle: error: missing.jsonl"))
  }

  /// Commands, with the red and yellow parts of their output on a terminal.
  static let colored = [
    ("validate bad.jsonl", "\u{1B}[31merror\u{1B}[0m: AMOUNT_NOT_POSITIVE"),
    ("validate missing.jsonl", "\u{1B}[31msettle: error: missing.jsonl: "),
    ("rnu", "\u{1B}[31msettle: error: Unknown command 'rnu'."),
    ("validate headed.jsonl", "\u{1B}[31msettle: error: TRAILER_MISSING: "),
    ("explain good.jsonl --pay-key G-1", "\u{1B}[33msettle: warning: no ledger"),
  ]

  @Test("errors and warnings have colours on a terminal, and nowhere else", arguments: colored)
  func colors(arguments: String, expected: String) throws {
    let folder = try CommandFolder()
    func said(_ environment: String, _ redirection: String = "") throws -> String {
      // The `script` of util-linux gives the command a terminal.
      let command = "\(environment) \"$SETTLE\" \(arguments) \(redirection)"
      try folder.write("command", command)
      let process = try folder.start("export SETTLE; script -qc 'sh command' said </dev/null >&2")
      process.waitUntilExit()
      return try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
    }
    #expect(try said("NO_COLOR= TERM=xterm").contains(expected))
    for environment in ["NO_COLOR=1 TERM=xterm", "NO_COLOR= TERM=dumb"] {
      let plain = try said(environment)
      #expect(!plain.contains("\u{1B}[3") && plain.contains(expected.replacing(/\u{1B}\[\d+m/, with: "")))
    }
    #expect(try !said("NO_COLOR= TERM=xterm", ">to 2>&1; cat to").contains("\u{1B}[3"))
  }

  /// Commands that write to standard output.
  static let writing = [
    "run good.jsonl --output out", "validate bad.jsonl", "validate good.jsonl --format sarif", "schema", "fees",
    "explain good.jsonl --pay-key G-1", "verify damaged", "currencies", "--help", "help run", "--version",
    "journal good.jsonl --format ledger --output - --date 2026-11-20", "generate --payments 9 --seed 1 --output -",
    "import pay.txt --format adaptive-nvp --output -", "--generate-completion-script bash",
  ]

  @Test("a reader that closed the pipe ends a command with 141, silently", arguments: writing)
  func closedPipe(arguments: String) throws {
    let folder = try CommandFolder()
    let process = try folder.start(
      "mkfifo pipe && { sleep 60 <pipe & exec 3>pipe; kill $!; wait; } 2>shell; \"$SETTLE\" \(arguments) >&3 2>said")
    process.waitUntilExit()
    #expect(process.terminationStatus == 141)
    let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
    #expect(said.isEmpty || said.hasPrefix("settle: warning: no ledger"), "\(said)")
  }

  @Test("verify notes that a batch is stored in another way")
  func storedInAnotherWay() throws {
    let folder = try CommandFolder()
    #expect(try folder.run(["run", "good.jsonl", "--output", "out"]).exitCode == 0)
    try FileManager.default.copyItem(
      at: folder.url.appendingPathComponent("good.jsonl"), to: folder.url.appendingPathComponent("better.jsonl"))
    let (exitCode, output, error) = try folder.runApart(["verify", "out", "--batch", "better.jsonl"])
    #expect(exitCode == 0 && output.isEmpty)
    #expect(error.contains("note: good.jsonl is now better.jsonl, with the same bytes\n"))
    #expect(error.contains("settled again, every byte is the same, other than how the batch is stored"))
  }

  @Test("a folder without reports is reported in one line")
  func noReports() throws {
    let (_, said) = try CommandFolder().run(["verify", "folder"])
    #expect(said.split(separator: "\n").count == 1, "\(said)")
  }

  @Test func everyCommandShowsExamples() throws {
    let folder = try CommandFolder()
    for command in [
      "run", "statement", "journal", "history", "find", "ledger", "prune", "verify", "report", "validate", "explain",
      "generate",
      "import",
      "currencies", "fees", "schema",
    ] {
      let (exitCode, said) = try folder.run([command, "--help"])
      #expect(exitCode == 0)
      #expect(said.contains("EXAMPLES:") && said.contains("settle \(command)"), "\(command)")
    }
  }
}

/// A folder with small batches, in which the command runs.
struct CommandFolder {
  private let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = URL(fileURLWithPath: folder.path)
    for name in ["folder", "damaged"] {
      try FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    let good = #"{"payKey":"G-1","recipient":"shop@shop.example","subTotal":"10.00"}"#
    try write("good.jsonl", good)
    try write("bad.jsonl", #"{"payKey":"B-1","recipient":"shop@shop.example","subTotal":"0.00"}"#)
    try write(
      "typo.jsonl",
      #"{"payKey":"T-1","recipient":"shop@shop.example","subTotal":"10.00","paymentCurency":"EUR"}"#)
    try write("headed.jsonl", #"{"type":"header"}"# + "\n" + good.replacingOccurrences(of: "G-1", with: "G-2"))
    try write("fees.json", "{}")
    try write("damaged/SHA256SUMS", "")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "good.jsonl")
    let unpaid = "actionType=PAY&currencyCode=USD"
    try write("unpaid.txt", unpaid)
    try write("pay.txt", unpaid + "&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount=1.00")
    try write("broken.json", "[{}")
  }

  func write(_ name: String, _ text: String) throws {
    try folder.write(Array((text + "\n").utf8), to: name)
  }

  func names() throws -> [String] { try folder.names() }

  /// Runs the command that was built with these tests; both outputs together.
  func run(_ arguments: [String]) throws -> (exitCode: Int32, said: String) {
    let output = Pipe()
    let process = try start(arguments, output: output, error: output)
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  /// Runs the command that was built with these tests; its outputs separately.
  func runApart(
    _ arguments: [String], input: FileHandle = .nullDevice
  ) throws -> (exitCode: Int32, output: String, error: String) {
    let error = url.appendingPathComponent("standard-error")
    try Data().write(to: error)
    defer { try? FileManager.default.removeItem(at: error) }
    let output = Pipe()
    let process = try start(arguments, input: input, output: output, error: try FileHandle(forWritingTo: error))
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: said, as: UTF8.self),
      String(decoding: try Data(contentsOf: error), as: UTF8.self)
    )
  }

  private func start(
    _ arguments: [String], input: FileHandle = .nullDevice, output: Any, error: Any
  ) throws -> Process {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("settle")
    process.arguments = arguments
    process.currentDirectoryURL = url
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return process
  }
}
