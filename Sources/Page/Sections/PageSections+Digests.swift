/// The digests that identify the batch and its reports.
extension PageSections {
  func writeDigests() {
    let lead = "What was settled and what was published, by SHA-256: sha256sum -c SHA256SUMS checks the reports."
    section("digests", "Digests", lead) {
      let files = reports.summary.files
      table(
        "files", caption: "The batch, as stored (summary.json)", class: "digests",
        [
          names("File", class: "file") { html.foreign($0.name) },
          digests { $0.sha256 }, counts("Bytes") { $0.bytes },
        ], rows: files.prefix(ReportPage.mostBatchFiles))
      if files.count > ReportPage.mostBatchFiles {
        html.element(
          "p", ["class": "note"],
          sentence: "\(ReportPage.mostBatchFiles) of \(files.count) files; summary.json has all.")
      }
      table(
        "sums", caption: "The reports (SHA256SUMS)", class: "digests",
        [names("Report", class: "file") { html.text($0.name) }, digests { $0.digest }], rows: reports.digests)
      guard !reports.summary.notices.isEmpty else { return }
      table(
        "notices", caption: "Notices, which reject nothing, by code (summary.json)",
        [names("Code") { html.element("code", text: $0.code) }, counts("Times") { $0.count }],
        rows: reports.summary.notices)
    }
  }
}
