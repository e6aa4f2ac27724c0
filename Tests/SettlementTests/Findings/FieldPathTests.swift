import BatchFile
import TestSupport
import Testing

@testable import Settlement

@Suite("Field paths: JSON Pointers that sort as their bytes do")
struct FieldPathTests {
  static let pointers: [(path: FieldPath, pointer: String)] = [
    (FieldPath.record, ""),
    (.top(.payKey), "/payKey"),
    (.top(.totals), "/totals"),
    (.receiver(nil), ""),
    (.receiver(0), "/receiverPaymentDetails/0"),
    (.receiver(9), "/receiverPaymentDetails/9"),
    (.receiver(10), "/receiverPaymentDetails/10"),
    (.receiver(999_999), "/receiverPaymentDetails/999999"),
    (.receiver(100_000), "/receiverPaymentDetails/100000"),
    (.receiver(nil).receiverField(.subtotal), "/subTotal"),
    (.receiver(3).receiverField(.subtotal), "/receiverPaymentDetails/3/subtotal"),
    (.receiver(3).receiverField(.isPrimary), "/receiverPaymentDetails/3/isPrimary"),
    (.receiver(nil).invoiceField(.totalTax), "/invoiceData/totalTax"),
    (.receiver(12).invoiceField(.invoiceItems), "/receiverPaymentDetails/12/invoiceData/invoiceItems"),
    (.receiver(nil).item(70), "/invoiceData/invoiceItems/70"),
    (
      .receiver(1).item(0).itemField(.totalPrice),
      "/receiverPaymentDetails/1/invoiceData/invoiceItems/0/totalPrice"
    ),
    (
      .receiver(909_090).item(505_050).itemField(.itemCount),
      "/receiverPaymentDetails/909090/invoiceData/invoiceItems/505050/itemCount"
    ),
  ]

  @Test("a path prints as its pointer", arguments: pointers)
  func prints(path: FieldPath, pointer: String) {
    #expect(Self.text(path) == pointer)
  }

  @Test("names are numbered in the order of their bytes")
  func namesAreSorted() {
    for names in [FieldPath.topNames, FieldPath.receiverNames, FieldPath.invoiceNames, FieldPath.itemNames] {
      let texts = names.map { Array($0.description.utf8) }
      #expect(texts == texts.sorted { $0.lexicographicallyPrecedes($1) })
    }
    #expect(FieldPath.Top.totals.rawValue == UInt64(FieldPath.topNames.count))
    #expect(FieldPath.Receiver.subtotal.rawValue == UInt64(FieldPath.receiverNames.count))
  }

  @Test("two paths compare as their pointers' bytes")
  func comparesAsText() {
    var random = SeededGenerator()
    for _ in 0..<20_000 {
      let left = Self.randomPath(using: &random)
      let right = Self.randomPath(using: &random)
      let leftText = Array(Self.text(left).utf8)
      let rightText = Array(Self.text(right).utf8)
      #expect(
        (left.packed < right.packed) == leftText.lexicographicallyPrecedes(rightText),
        "\(Self.text(left)) and \(Self.text(right)); \(random.reproduction)")
      #expect((left == right) == (leftText == rightText), "\(random.reproduction)")
      #expect(FieldPath(unpacking: left.packed | 61 << 58) == left)
    }
  }

  @Test("findings sort by reason, then by pointer")
  func findingsSort() {
    let paths = [2, 10, 1].map { FieldPath.receiver($0).receiverField(.recipient) }
    var findings = paths.map { Finding(.missingField, at: $0) } + [Finding(.recordTooLong, at: .record)]
    findings += [Finding(.duplicatePayKey, at: .top(.payKey)), Finding(.missingField, at: .top(.payKey))]
    findings.sort { $0.key < $1.key }
    #expect(
      findings.map { "\($0.reason.code) \(Self.text($0.path))" } == [
        "RECORD_TOO_LONG ", "MISSING_FIELD /payKey", "MISSING_FIELD /receiverPaymentDetails/1/recipient",
        "MISSING_FIELD /receiverPaymentDetails/10/recipient", "MISSING_FIELD /receiverPaymentDetails/2/recipient",
        "DUPLICATE_PAY_KEY /payKey",
      ])
  }

  static func text(_ path: FieldPath) -> String {
    var text = TextBuffer()
    path.write(to: &text)
    return text.string
  }

  /// Short indices mostly, so that two paths often share their beginning.
  private static func randomIndex(using random: inout SeededGenerator) -> Int {
    let digits = Int.random(in: 1...6, using: &random)
    return Int.random(in: 0..<[1, 10, 100, 1000, 10_000, 100_000, 1_000_000][digits], using: &random)
  }

  private static func randomPath(using random: inout SeededGenerator) -> FieldPath {
    if Int.random(in: 0..<4, using: &random) == 0 {
      let name = UInt64.random(in: 0...UInt64(FieldPath.topNames.count), using: &random)
      return FieldPath.Top(rawValue: name).map { $0 == .none ? .record : .top($0) } ?? .record
    }
    let receiver = FieldPath.receiver(Bool.random(using: &random) ? nil : randomIndex(using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return receiver
    case 1:
      let name = UInt64.random(in: 1...UInt64(FieldPath.receiverNames.count), using: &random)
      guard let field = FieldPath.Receiver(rawValue: name), field != .isPrimary || receiver != .record else {
        return receiver
      }
      return receiver.receiverField(field)
    case 2: return receiver.invoiceField(FieldPath.Invoice(rawValue: .random(in: 1...3, using: &random)) ?? .totalTax)
    case 3: return receiver.item(randomIndex(using: &random))
    default:
      let item = receiver.item(randomIndex(using: &random))
      return item.itemField(FieldPath.Item(rawValue: .random(in: 1...5, using: &random)) ?? .name)
    }
  }
}
