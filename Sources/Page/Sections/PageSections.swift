import Records

/// The page, section by section: what people ask first comes first.
struct PageSections: PagePart {
  let html: HTMLWriter
  let reports: PublishedReports

  /// Writes the whole page.
  func write() {
    page(reports.summary.batchID.map { "Settlement of \($0)" } ?? "Settlement") {
      html.element("header") { writeVerdict() }
      html.newLine()
      html.element("main") {
        writeMoney()
        writeRefunds()
        writeFees()
        writeAgreements()
        writeRejections()
        writeReceivers()
        writeDigests()
      }
      html.element("footer") { writeFooter() }
    }
  }

  private func writeFooter() {
    html.element("p") {
      html.text("Made by settle report from a directory that settle \(reports.summary.version) published. ")
      html.text("Figures are those of the files named above them, digit for digit; only shares are rounded.")
    }
  }
}

extension Outcome {
  /// The outcome's word on the page, and its class in the style.
  var word: String { name.description.lowercased() }
}
