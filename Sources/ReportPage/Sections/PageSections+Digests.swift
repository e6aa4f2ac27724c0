/// By what the batch and its reports can be told from others.
extension PageSections {
  func writeDigests() {
    let lead = "What was settled and what was published, by SHA-256: sha256sum -c SHA256SUMS holds the reports to it."
    section("digests", "Digests", lead) {
      let files = reports.summary.files
      table(
        "files", caption: "The batch, as stored (summary.json)", class: "digests",
        heads: ["File", "SHA-256", "Bytes"], words: 2
      ) {
        for file in files.prefix(ReportPage.mostBatchFiles) {
          html.element("tr") {
            html.element("th", ["scope": "row", "class": "file"]) {
              html.foreign(String(decoding: file.name, as: UTF8.self))
            }
            html.element("td", ["class": "digest"]) { html.element("code", text: file.sha256) }
            number("Bytes") { html.figure(file.bytes) }
          }
          html.newLine()
        }
      }
      if files.count > ReportPage.mostBatchFiles {
        html.element(
          "p", ["class": "note"], text: "\(ReportPage.mostBatchFiles) of \(files.count) files; summary.json has all.")
      }
      table(
        "sums", caption: "The reports (SHA256SUMS)", class: "digests", heads: ["Report", "SHA-256"], words: 2
      ) {
        for (name, digest) in reports.digests {
          html.element("tr") {
            html.element("th", ["scope": "row", "class": "file"], text: name)
            html.element("td", ["class": "digest"]) { html.element("code", text: digest) }
          }
          html.newLine()
        }
      }
      if !reports.summary.notices.isEmpty { writeNotices() }
    }
  }

  private func writeNotices() {
    table(
      "notices", caption: "Notices: no reason to reject, by code (summary.json)", heads: ["Code", "Times"], words: 1
    ) {
      for (code, count) in reports.summary.notices {
        html.element("tr") {
          html.element("th", ["scope": "row"]) { html.element("code", text: code) }
          number("Times") { html.figure(count) }
        }
        html.newLine()
      }
    }
  }
}
