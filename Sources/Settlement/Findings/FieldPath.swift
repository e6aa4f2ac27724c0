import BatchFile

/// Where a finding points, as a JSON Pointer (RFC 6901) in one word that sorts as the pointer's bytes do.
///
/// Five parts from the highest bits on: a top-level name, an index, a receiver's name, an invoice's name, an index and
/// an item's name, each 0 where the pointer has no such part. Names are numbered in the order of their bytes; an index
/// is its decimal digits in base 11, so that 10 sorts between 1 and 2 as in text. In the single shape the receiver's
/// parts stand at the top level and the first index is 0.
public struct FieldPath: Hashable, Sendable {
  /// The packed parts, below the 58th bit.
  public let packed: UInt64

  /// The names at the top level, in the order of their bytes, from 1.
  static let topNames: [StaticString] = [
    "batchId", "country", "createdAt", "customId", "description", "feePayer", "fundingSource", "invoiceData", "ipnUrl",
    "memo", "merchantName", "payKey", "paymentCurrency", "paymentSubType", "paymentType", "receiverPaymentDetails",
    "recipient", "recordCount", "sender", "senderCountry", "status", "subTotal", "totals",
  ]
  static let receiverNames: [StaticString] = [
    "country", "customId", "description", "invoiceData", "isPrimary", "merchantName", "paymentSubType",
    "paymentType", "recipient", "subtotal",
  ]
  static let invoiceNames: [StaticString] = ["invoiceItems", "totalShipping", "totalTax"]
  static let itemNames: [StaticString] = ["itemCount", "itemId", "itemPrice", "name", "totalPrice"]

  /// Names at the top level, as places in `topNames` from 1.
  enum Top: UInt64 {
    case none, batchId, country, createdAt, customId, description, feePayer, fundingSource, invoiceData, ipnUrl
    case memo, merchantName, payKey, paymentCurrency, paymentSubType, paymentType, receiverPaymentDetails
    case recipient, recordCount, sender, senderCountry, status, subTotal, totals
  }
  /// A receiver's names, as places in `receiverNames` from 1.
  enum Receiver: UInt64 {
    case none, country, customId, description, invoiceData, isPrimary, merchantName, paymentSubType, paymentType
    case recipient, subtotal
  }
  /// An invoice's names, as places in `invoiceNames` from 1.
  enum Invoice: UInt64 { case none, invoiceItems, totalShipping, totalTax }
  /// An item's names, as places in `itemNames` from 1.
  enum Item: UInt64 { case none, itemCount, itemId, itemPrice, name, totalPrice }

  private init(packed: UInt64) {
    assert(packed >> 58 == 0)
    self.packed = packed
  }

  /// The path of packed parts, as `packed` gives them.
  init(unpacking packed: UInt64) {
    self.init(packed: packed & ((1 << 58) - 1))
  }

  /// The record itself: the empty pointer.
  public static let record = FieldPath(packed: 0)

  /// A field at the top level.
  static func top(_ name: Top) -> FieldPath { FieldPath(packed: name.rawValue << 53) }

  /// The receiver's part: an element of `receiverPaymentDetails`, or the top level where `index` is nil.
  static func receiver(_ index: Int?) -> FieldPath {
    guard let index else { return record }
    return FieldPath(packed: Top.receiverPaymentDetails.rawValue << 53 | digits(index) << 32)
  }

  /// A field of the receiver that this path points to.
  func receiverField(_ name: Receiver) -> FieldPath {
    if packed == 0 { return .top(Self.singleShapeName(of: name)) }
    return FieldPath(packed: packed | name.rawValue << 28)
  }

  /// A field of the invoice of the receiver that this path points to.
  func invoiceField(_ name: Invoice) -> FieldPath {
    FieldPath(packed: receiverField(.invoiceData).packed | name.rawValue << 26)
  }

  /// An element of the `invoiceItems` of the receiver that this path points to.
  func item(_ index: Int) -> FieldPath {
    FieldPath(packed: invoiceField(.invoiceItems).packed | Self.digits(index) << 4)
  }

  /// A field of the item that this path points to.
  func itemField(_ name: Item) -> FieldPath { FieldPath(packed: packed | name.rawValue) }

  private static func singleShapeName(of name: Receiver) -> Top {
    switch name {
    case .country: .country
    case .customId: .customId
    case .description: .description
    case .invoiceData: .invoiceData
    case .merchantName: .merchantName
    case .paymentSubType: .paymentSubType
    case .paymentType: .paymentType
    case .recipient: .recipient
    case .subtotal: .subTotal
    case .none, .isPrimary: preconditionFailure("the single shape has no such field")
    }
  }

  // MARK: Indices as digits in base 11

  private static let places: [UInt64] = [161_051, 14_641, 1_331, 121, 11, 1]

  /// An index of at most six digits: its digits plus one, from the left, then zeros. A line has room for no more.
  private static func digits(_ index: Int) -> UInt64 {
    if index >= 0, index < 10 { return UInt64(index + 1) * 161_051 }
    precondition(index >= 0 && index < 1_000_000, "an index of more than six digits cannot stand in a line")
    var divisor = 100_000
    while divisor > 1, divisor > index { divisor /= 10 }
    var place = 0
    var packed: UInt64 = 0
    while divisor > 0 {
      packed += UInt64(index / divisor % 10 + 1) * places[place]
      divisor /= 10
      place += 1
    }
    return packed
  }

  private static func write(digits: UInt64, to text: inout TextBuffer) {
    for place in places {
      let digit = digits / place % 11
      if digit == 0 { return }
      text.append(UInt8(ascii: "0") + UInt8(digit - 1))
    }
  }

  // MARK: Printing

  /// Appends the pointer, nothing for the record itself.
  public func write(to text: inout TextBuffer) {
    append(packed >> 53 & 0x1F, of: Self.topNames, to: &text)
    if packed >> 32 & 0x1F_FFFF != 0 {
      text.append(UInt8(ascii: "/"))
      Self.write(digits: packed >> 32 & 0x1F_FFFF, to: &text)
    }
    append(packed >> 28 & 0xF, of: Self.receiverNames, to: &text)
    append(packed >> 26 & 0x3, of: Self.invoiceNames, to: &text)
    if packed >> 4 & 0x1F_FFFF != 0 {
      text.append(UInt8(ascii: "/"))
      Self.write(digits: packed >> 4 & 0x1F_FFFF, to: &text)
    }
    append(packed & 0x7, of: Self.itemNames, to: &text)
  }

  /// The last name of the pointer, or an empty text for the record and for an element of an array.
  var leafName: StaticString {
    if packed & 0x7 != 0 { return Self.itemNames[Int(packed & 0x7) - 1] }
    if packed >> 4 & 0x1F_FFFF != 0 { return "" }
    if packed >> 26 & 0x3 != 0 { return Self.invoiceNames[Int(packed >> 26 & 0x3) - 1] }
    if packed >> 28 & 0xF != 0 { return Self.receiverNames[Int(packed >> 28 & 0xF) - 1] }
    if packed >> 32 & 0x1F_FFFF != 0 { return "" }
    return packed == 0 ? "" : Self.topNames[Int(packed >> 53 & 0x1F) - 1]
  }

  private func append(_ number: UInt64, of names: [StaticString], to text: inout TextBuffer) {
    guard number > 0 else { return }
    text.append(UInt8(ascii: "/"))
    text.append(names[Int(number) - 1])
  }
}
