@testable import Documents
import Publication
import Testing

/// What other code reads from the table of reports; the columns are those in the documentation.
@Suite("Table of reports")
struct ReportKindTests {
  static let headers: [(ReportKind, String)] = [
    (.control, "currency,records,amount,settled,pending,held,rejected\n"),
    (
      .exceptions,
      "file,line,offset,pay_key,outcome,code,field,currency,amount,paypal_error_id,message,refund_key,"
        + "preapproval_key\n"
    ),
    (.fees, "pay_key,account,bearer,name,currency,fee,vat,refund_key\n"),
    (.preapprovals, "preapproval_key,status,sender,currency,payments,amount\n"),
    (.receivers, "account,currency,payments,gross,passed_on,fee,net,refunds,refund_net,payout\n"),
    (.refunds, "refund_key,pay_key,run,currency,amount,fees_returned,remaining\n"),
    (.settlement, "pay_key,kind,role,account,currency,gross,passed_on,fee,net,refund_key\n"),
    (
      .totals,
      "currency,payments,sender_amount,sender_fees,receiver_net,fees,balance,refunds,refunded,receiver_debit,"
        + "fees_returned\n"
    ),
  ]

  @Test("header rows", arguments: headers)
  func header(kind: ReportKind, header: String) { #expect(kind.header == header) }

  @Test("every report except summary.json has columns, and is sorted by some leading columns or none")
  func columns() {
    for kind in ReportKind.allCases {
      #expect(kind.columns.isEmpty == (kind == .summary))
      #expect(kind.sortColumns < max(1, kind.columns.count))
      #expect(kind == .summary || Self.headers.contains { $0.0 == kind })
    }
  }

  @Test("the data package describes the columns of every CSV file, amounts as decimals and keys as text")
  func dataPackage() throws {
    let resources = try #require(ReportKind.dataPackage(version: "1", showsNames: true)["resources"]?.elements)
    #expect(resources.map { $0["path"]?.string } == Self.headers.map { $0.0.fileName })
    for (resource, (_, header)) in zip(resources, Self.headers) {
      let fields = try #require(resource["schema"]?["fields"]?.elements)
      #expect(fields.compactMap { $0["name"]?.string }.joined(separator: ",") + "\n" == header)
    }
    func types(_ kind: ReportKind) -> [String?] {
      let resource = resources.first { $0["path"]?.string == kind.fileName }
      return resource?["schema"]?["fields"]?.elements?.map { $0["type"]?.string } ?? []
    }
    #expect(
      types(.settlement) == Array(repeating: "string", count: 5) + Array(repeating: "number", count: 4) + ["string"])
    #expect(
      types(.receivers) == ["string", "string", "integer"] + Array(repeating: "number", count: 4) + [
        "integer", "number", "number",
      ])
  }

  @Test("file names and digests are in the order of the names")
  func order() {
    let names = ReportKind.allCases.map(\.fileName)
    #expect(names == names.sorted())
    #expect(ReportKind.allFileNames.last == "SHA256SUMS")
    #expect(
      DigestList.text(["totals.csv": "0a", "control.csv": "ff"]) == "ff  control.csv\n0a  totals.csv\n")
  }
}
