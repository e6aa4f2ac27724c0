import Reports
import Testing

/// What others read of the table of reports; the columns are those of the documentation.
@Suite("Table of reports")
struct ReportKindTests {
  static let headers: [(ReportKind, String)] = [
    (.control, "currency,records,amount,settled,pending,held,rejected\n"),
    (.exceptions, "file,line,offset,pay_key,outcome,code,field,currency,amount,paypal_error_id,message\n"),
    (.receivers, "account,currency,payments,gross,passed_on,fee,net\n"),
    (.settlement, "pay_key,kind,role,account,currency,gross,passed_on,fee,net\n"),
    (.totals, "currency,payments,sender_amount,sender_fees,receiver_net,fees,balance\n"),
  ]

  @Test("header rows", arguments: headers)
  func header(kind: ReportKind, header: String) { #expect(kind.header == header) }

  @Test("every report but summary.json has columns, and is sorted by some of the first or by none")
  func columns() {
    for kind in ReportKind.allCases {
      #expect(kind.columns.isEmpty == (kind == .summary))
      #expect(kind.sortColumns < max(1, kind.columns.count))
      #expect(kind == .summary || Self.headers.contains { $0.0 == kind })
    }
  }

  @Test("file names and digests stand in the order of the names")
  func order() {
    #expect(ReportKind.fileNames == ReportKind.fileNames.sorted())
    #expect(ReportKind.allFileNames.last == "SHA256SUMS")
    #expect(
      ReportKind.sumsText(["totals.csv": "0a", "control.csv": "ff"]) == "ff  control.csv\n0a  totals.csv\n")
  }
}
