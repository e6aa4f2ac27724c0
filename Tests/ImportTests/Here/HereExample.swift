/// A PayPal Here request that is ordinary except for some changes.
///
/// Changes are separated by ` | `. `invoice.number="7"` replaces the member with that name, `-item.name` removes one,
/// and `+step=pay` adds one. Names without a point belong to the URL; values of `invoice` and `item` are JSON.
struct HereExample {
  private var url = [("step", "choosePayment")]
  private var invoice = [("currencyCode", #""USD""#), ("merchantEmail", #""cafe@shop.example""#)]
  private var item = [("name", #""Mug""#), ("unitPrice", #""2.00""#), ("quantity", #""1""#)]
  private var response: [(String, String)] = []

  init(_ changes: String) {
    for change in changes.split(separator: " | ") {
      let pair = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let path = pair[0].drop { "+-".contains($0) }.split(separator: ".", maxSplits: 1).map(String.init)
      func apply(to pairs: inout [(String, String)]) {
        let name = path[path.count - 1]
        if !change.hasPrefix("+") { pairs.removeAll { $0.0 == name } }
        if !change.hasPrefix("-") { pairs.append((name, pair[1])) }
      }
      switch path.count == 1 ? "" : path[0] {
      case "invoice": apply(to: &invoice)
      case "item": apply(to: &item)
      case "response": apply(to: &response)
      default: apply(to: &url)
      }
    }
  }

  /// The request's line.
  var line: String {
    var fields = url
    if !url.contains(where: { $0.0 == "invoice" }) {
      let items = (#"itemList"#, #"{"item":[\#(Self.object(item))]}"#)
      fields.append(("invoice", Self.object(invoice.contains { $0.0 == "itemList" } ? invoice : invoice + [items])))
    }
    fields.removeAll { $0.1 == "NONE" }
    let call = "paypalhere://takePayment?" + fields.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
    return response.isEmpty
      ? call : "\(call)\tapp://x?" + response.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
  }

  /// The result of importing it.
  var imported: Imported { Imported(Array(line.utf8), .here) }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber)
        ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
