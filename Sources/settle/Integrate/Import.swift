import ArgumentParser
import Console
import Failures
import FileSystem
import Import
import Input
import Records
import Settlement
import Text

/// `settle import`: makes a batch from requests in another form.
struct Import: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a batch of requests to PayPal's older APIs.",
    discussion: """
      adaptive-json: JSON objects, one or many, on one line each or on several, or an array of them. adaptive-nvp: \
      query strings, one a line, or on several lines that begin with &. here: URLs that the PayPal Here app was called \
      with, one a line, each with a tab and the URL that it called back.

      A payment's key is the request's trackingId, or else derived from what the request says and its number among equal \
      requests: a file that grew gives the same keys. Where an address before a request names the operation, Refund, \
      Preapproval, ConfirmPreapproval and CancelPreapproval become records, too.

      Errors in requests are written to standard error with their lines and PayPal's error ids: of each file the first \
      1,000, and how many there are. So is what is not carried over, with its line. If any request is wrong, nothing is written, unless --skip-invalid is given.

      Ends with 0; with 1 if requests are wrong or a file has none; with 2 if a file cannot be read to its end in the \
      given format. Nothing is written in the last case.

      EXAMPLES:
        settle import requests.json --format adaptive-json --output night.jsonl.lz4
        settle import pay.txt --format adaptive-nvp --output - | settle validate -
        settle import till.txt --format here --merchant cafe@shop.example --output till.jsonl
      """)

  @Argument(
    help: ArgumentHelp(
      "The files of requests, which make one batch in this order; - is standard input.", valueName: "requests"),
    completion: .file()
  )
  var requests: [String]

  @Option(help: "The format of the requests.")
  var format: RequestImport.Format

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The batch to make; .lz4 at its end compresses it. - is standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "When the requests were made, as 2026-11-20T18:00:00Z; preapprovals and payments under one need it.",
      valueName: "time"))
  var createdAt: String?

  @Option(
    help: ArgumentHelp("The merchant signed in to PayPal Here, whom invoices need not name.", valueName: "account"))
  var merchant: String?

  @Flag(help: "Replace the file if there is one.")
  var replace = false

  @Flag(help: "Leave out requests that are wrong, instead of writing nothing.")
  var skipInvalid = false

  @OptionGroup var log: LogOptions

  static let largestFile = 256 << 20

  func validate() throws {
    try OutputFile.expectWritable(output)
    try BatchOptions.expectOneReader(requests)
    if let createdAt, !Timestamp.isValid(Array(createdAt.utf8).span) {
      let day = createdAt.prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/).map { String($0.0) }
      let missing = day.flatMap { UTCTime(day: $0) == nil ? "; there is no day \($0)" : nil } ?? ""
      throw ValidationError("--created-at takes a date and time like 2026-11-20T18:00:00Z\(missing).")
    }
    if let merchant, !RequestImport.isAccount(merchant) {
      throw ValidationError("--merchant takes an email address or a phone number like +14155551212.")
    }
    if format == .here ? createdAt != nil : merchant != nil {
      throw ValidationError("--created-at is for requests of Adaptive Payments, --merchant for --format here.")
    }
  }

  func execute() throws(Failure) -> Int32 {
    var batch = RequestImport(format, createdAt: createdAt, merchant: merchant)
    var findings = ImportFindings()
    var isWhole = true
    var areAllThere = true
    for path in requests {
      guard let text = try WholeFile.read(path, what: "the requests", limit: Self.largestFile) else {
        throw .unreadable("\(OutputPlace.shown(path)): is over 256 MiB; import its requests in several files")
      }
      findings.begin(OutputPlace.shown(path))
      let before = (requests: batch.requests, imported: batch.imported)
      if !batch.read(text, tell: { findings.add($0) }) {
        isWhole = false
        Log.error("\(findings.file): could not be read to its end")
      }
      if batch.requests == before.requests {
        areAllThere = false
        findings.addNoRequest(format)
      }
      if batch.imported == before.imported, let separator = CSV.separator(of: text) {
        Log.error(
          "\(findings.file): this looks like CSV with \(separator) between the fields; expected \(format.expected)")
      }
      findings.end()
    }
    findings.reportCounts()
    if batch.withoutNumber > 0 {
      Log.notice(
        "note: \(Terminal.count(batch.withoutNumber, "call")) without a number: two equal sales in logs that are "
          + "imported apart are taken for one, unless they have a number or another InvoiceId")
    }
    let isRight = areAllThere && batch.refused == 0
    let isWritten = isWhole && batch.requests > 0 && (isRight || skipInvalid)
    if isWritten { try write(batch) }
    Log.notice(
      "\(Terminal.count(batch.requests, "request")): \(batch.imported) imported, "
        + (batch.unpaid == 0 ? "" : "\(batch.unpaid) without a payment, ")
        + "\(batch.refused) wrong with \(Terminal.count(findings.faults, "error"))"
        + (isWritten ? "" : "; nothing is written"))
    return isWhole ? (isRight ? 0 : 1) : 2
  }

  private func write(_ batch: borrowing RequestImport) throws(Failure) {
    let file = try OutputFile(path: output, replaces: replace, remedy: "--replace replaces it")
    try file.write { write in
      guard output.hasSuffix(".lz4") else { return try batch.writeBatch(write) }
      let frame = try LZ4FrameWriter { try file.write($0) }
      try batch.writeBatch { text in
        for part in LZ4FrameWriter.blocks(of: text.count) {
          let piece = text.extracting(part)
          try frame.append(LZ4FrameWriter.compressBlock(piece).span, of: piece)
        }
      }
      try frame.finish()
    }
  }
}

extension RequestImport.Format: ExpressibleByArgument {}
