import Money
import Records

/// A payment as it is drawn, before it is written.
///
/// Amounts are in the smallest that the settlement takes of the payment's currency.
struct PaymentDraft {
  var index = 0
  var currency = Currency.usd
  var kind = PaymentKind.simple
  var isSingle = false
  var status = PaymentStatus.completed
  var feePayer: FeePayer?
  var fundingSource: FundingSource?
  var sender: SampleParty?
  var senderCountry: Country?
  var hasCreatedAt = false
  var hasMemo = false
  var hasNotificationURL = false
  var repeatsKeyBefore = false
  var receivers: [ReceiverDraft] = []
  var items: [ItemDraft] = []
  var fault = FieldFault()

  /// Makes it a new, empty payment; the arrays keep their room.
  mutating func reset(index: Int) {
    var receivers = receivers
    var items = items
    self.receivers = []
    self.items = []
    receivers.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    self = PaymentDraft(index: index, receivers: receivers, items: items)
  }
}

/// A receiver of a payment as it is drawn.
struct ReceiverDraft {
  enum Invoice { case absent, withoutItems, withItems }

  var party: SampleParty
  var subtotal: UInt64 = 0
  var tax: UInt64 = 0
  var shipping: UInt64 = 0
  var invoice = Invoice.absent
  var items: Range<Int> = 0..<0
  var isPrimary = false
  var country: Country?
  var paymentType: PaymentType?
  var subType: PaymentSubType?

  /// What is sent to the receiver.
  var gross: UInt64 { subtotal + tax + shipping }
}

/// An item of an invoice as it is drawn.
struct ItemDraft {
  /// The price of one, in `10^-priceDecimals` of the smallest amount.
  var price: UInt64
  var priceDecimals = 0
  /// How many, in `10^-countDecimals`.
  var count: UInt64 = 1
  var countDecimals = 0
  /// The price of all.
  var total: UInt64 = 0
  /// Bits that its name and article number are taken from.
  var article: UInt64 = 0

  /// The price times the count, rounded half up: the most that `total` may be.
  var product: UInt64 {
    let scale = PowersOfTen.of(priceDecimals + countDecimals)
    return (price * count + scale / 2) / scale
  }
}

/// A place in a record where something else may be written than was drawn.
enum FieldPlace {
  case nowhere
  case payKey, status, createdAt, currency, feePayer, sender, senderCountry, fundingSource, memo, notificationURL
  case receivers, paymentEnd
  case receiver, recipient, subtotal, isPrimary, country, paymentType, subType, receiverEnd
  case tax, shipping, items
  case itemName, itemPrice, itemCount, itemTotal, itemEnd
}

/// What is wrong with one field: JSON to write in its place, or nothing, which leaves the field out.
///
/// At the ends of objects the text is put in before the closing brace.
struct FieldFault {
  var place = FieldPlace.nowhere
  /// The receiver it is in, where it is in one; in invoices, it is in the first item.
  var receiver = 0
  var text: StaticString = ""
}
