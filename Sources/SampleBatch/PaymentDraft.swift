import Money
import Records

/// A payment as it is drawn, before it is written.
///
/// Amounts are in the smallest unit in which the payment's currency is settled.
struct PaymentDraft {
  var index = 0
  var currency = SampleCurrency.usDollar
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
  var splitTotal: UInt64?
  var hasAddress = false
  var card: CardDraft?
  var agreement: SampleAgreement?
  var receivers: [ReceiverDraft] = []
  var fault = FieldFault(place: .nowhere, text: "")

  /// The sum of what is sent to all receivers that are not primary.
  var passedOn: UInt64 { receivers.reduce(0) { $1.isPrimary ? $0 : $0 + $1.gross } }

  /// The payment's amount in the control totals (`rules.md`, "Amounts"); nil if it cannot be determined.
  ///
  /// This considers only its fields: records with a defect as a whole, or in their shape, have no control amount
  /// either.
  var controlAmount: UInt64? {
    let hasOnePrimary = receivers.count { $0.isPrimary } == 1
    let isUnreadable =
      switch fault.place {
      case .currency, .receivers, .receiver, .isPrimary: true
      // The fault is in the first receiver.
      case .subtotal, .tax, .shipping: receivers[0].isPrimary || !hasOnePrimary
      default: false
      }
    return isUnreadable ? nil : receivers.reduce(0) { $1.isPrimary || !hasOnePrimary ? $0 + $1.gross : $0 }
  }
}

/// A receiver of a payment as it is drawn.
struct ReceiverDraft {
  var party: SampleParty
  var subtotal: UInt64 = 0
  var tax: UInt64 = 0
  var shipping: UInt64 = 0
  var hasInvoice = false
  var items: [ItemDraft] = []
  var isPrimary = false
  var country: Country?
  var paymentType: PaymentType?
  var subType: PaymentSubType?
  var category: StaticString?
  /// The terms by which it gets a part of a total, or keeps it as a primary; nil if it has its own amount.
  var terms: TermsDraft?
  /// The amounts that replace its own.
  var adjusted: (subtotal: UInt64, tax: UInt64, shipping: UInt64)?

  /// What is sent to the receiver; for a receiver with terms, what was sent to it before they were drawn.
  var gross: UInt64 { adjusted.map { $0.subtotal + $0.tax + $0.shipping } ?? subtotal + tax + shipping }
}

/// The terms of a `split` or `keep` as they are drawn: a share, otherwise a percentage in hundredths.
struct TermsDraft {
  var share: UInt64?
  var hundredths: UInt64 = 0
  var minimum: UInt64?
  var maximum: UInt64?
}

/// A card as it is drawn; its digits are drawn later.
struct CardDraft {
  let isKeyed: Bool
  let hasNumber: Bool
  /// Bits from which its brand and date are taken.
  let bits: UInt64
}

/// An item of an invoice as it is drawn.
struct ItemDraft {
  /// The price of one, in `10^-priceDecimals` of the smallest amount.
  var price: UInt64
  var priceDecimals = 0
  /// The count, in `10^-countDecimals`.
  var count: UInt64 = 1
  var countDecimals = 0
  /// The price of all pieces.
  var total: UInt64 = 0
  /// Bits from which its name and article number are taken.
  var article: UInt64 = 0

  /// The price times the count, rounded half up: the most that `total` may be.
  var product: UInt64 {
    let scale: UInt64 = [1, 10, 100, 1000][priceDecimals + countDecimals]
    return (price * count + scale / 2) / scale
  }
}

/// A place in a record at which a fault may replace the drawn value.
enum FieldPlace {
  case nowhere
  case payKey, status, createdAt, currency, feePayer, sender, senderCountry, fundingSource, memo
  case receivers, paymentEnd
  case receiver, recipient, subtotal, isPrimary, country, paymentType, receiverEnd
  case tax, shipping
  case itemName, itemPrice, itemCount, itemTotal
}

/// The fault of one field: JSON to write in its place; an empty text leaves the field out.
///
/// At the end of an object, the text is inserted before the closing brace.
struct FieldFault {
  let place: FieldPlace
  let text: StaticString
  /// The receiver that contains it, if any; in invoices, it is in the first item.
  var receiver = 0
}
