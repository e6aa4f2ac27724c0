import Records
import TestSupport
import Testing
import Text

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
    (.address(.state), "/shippingAddress/state"),
    (.top(.adjustedAmounts).amountsField(.paymentAmount), "/adjustedAmounts/payment_amount"),
    (.adjustment(12), "/adjustedAmounts/12"),
    (.adjustment(0).adjustmentField(.recipient), "/adjustedAmounts/0/recipient"),
    (.adjustment(3).adjustmentField(.amounts).amountsField(.tax), "/adjustedAmounts/3/amounts/tax"),
  ]

  @Test("a path prints as its pointer", arguments: pointers)
  func prints(path: FieldPath, pointer: String) {
    #expect(Self.text(path) == pointer)
  }

  @Test("names are numbered in the order of their bytes")
  func namesAreSorted() {
    for level in FieldLevel.allCases {
      let texts = level.definitions.map { Array($0.name.description.utf8) }
      #expect(texts == texts.sorted { $0.lexicographicallyPrecedes($1) })
      #expect(Set(texts).count == texts.count)
    }
  }

  @Test("a field's slot is its index among the fields of its level")
  func slotsAreTheCasesPlaces() {
    #expect(RecordField.allCases.map(\.slot) == Array(0..<RecordField.allCases.count))
    #expect(ReceiverField.allCases.map(\.slot) == Array(0..<ReceiverField.allCases.count))
    #expect(InvoiceField.allCases.map(\.slot) == Array(0..<InvoiceField.allCases.count))
    #expect(ItemField.allCases.map(\.slot) == Array(0..<ItemField.allCases.count))
  }

  @Test("two paths compare like their pointers' bytes")
  func comparesAsText() {
    var random = SeededGenerator()
    for _ in 0..<20_000 {
      let left = Self.randomPath(using: &random)
      let right = Self.randomPath(using: &random)
      let leftText = Array(Self.text(left).utf8)
      let rightText = Array(Self.text(right).utf8)
      #expect(
        (left < right) == leftText.lexicographicallyPrecedes(rightText),
        "\(Self.text(left)) and \(Self.text(right)); \(random.reproduction)")
      #expect((left == right) == (leftText == rightText), "\(random.reproduction)")
    }
  }

  static func text(_ path: FieldPath) -> String {
    var text = TextBuffer()
    path.write(to: &text)
    return text.string
  }

  /// Mostly short indices, so that two paths often share their beginning.
  private static func randomIndex(using random: inout SeededGenerator) -> Int {
    let digits = Int.random(in: 1...6, using: &random)
    return Int.random(in: 0..<[1, 10, 100, 1000, 10_000, 100_000, 1_000_000][digits], using: &random)
  }

  private static func randomPath(using random: inout SeededGenerator) -> FieldPath {
    if Int.random(in: 0..<4, using: &random) == 0 {
      return RecordField.allCases.randomElement(using: &random).map { .top($0) } ?? .record
    }
    let receiver = FieldPath.receiver(Bool.random(using: &random) ? nil : randomIndex(using: &random))
    let adjustment = FieldPath.adjustment(randomIndex(using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return receiver
    case 1:
      guard let field = ReceiverField.allCases.randomElement(using: &random),
        field != .isPrimary || receiver != .record
      else { return receiver }
      return receiver.receiverField(field)
    case 2: return receiver.invoiceField(InvoiceField.allCases.randomElement(using: &random) ?? .totalTax)
    case 3: return receiver.item(randomIndex(using: &random))
    case 4: return .address(AddressField.allCases.randomElement(using: &random) ?? .name)
    case 5: return adjustment.adjustmentField(AdjustmentField.allCases.randomElement(using: &random) ?? .amounts)
    case 6:
      return adjustment.adjustmentField(.amounts)
        .amountsField(AmountsField.allCases.randomElement(using: &random) ?? .tax)
    default:
      let item = receiver.item(randomIndex(using: &random))
      return item.itemField(ItemField.allCases.randomElement(using: &random) ?? .name)
    }
  }
}
