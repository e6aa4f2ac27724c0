import Foundation
import SampleBatch

/// A batch as bytes.
func batch(_ options: SampleBatchOptions, isLZ4: Bool = false) throws -> (bytes: [UInt8], summary: SampleBatchSummary) {
  var bytes: [UInt8] = []
  let summary = try SampleBatch.write(options, isLZ4: isLZ4) { bytes.append($0) }
  return (bytes, summary)
}

/// The lines of a batch, without their line ends.
func lines(_ options: SampleBatchOptions) throws -> [ArraySlice<UInt8>] {
  try batch(options).bytes.split(separator: UInt8(ascii: "\n"))
}

/// A record as a JSON value; nil if it is not JSON.
func json(_ line: ArraySlice<UInt8>) -> Any? {
  try? JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)
}

/// The payments of a batch as JSON objects; those that are not JSON objects are left out.
func payments(_ options: SampleBatchOptions) throws -> [Payment] {
  try lines(options).dropFirst().dropLast().compactMap { (json($0) as? [String: Any]).map(Payment.init) }
}

/// An object of a record.
struct Payment {
  let fields: [String: Any]

  func text(_ name: String) -> String? { fields[name] as? String }

  /// An amount or count, whether a string or a number.
  func decimal(_ name: String) -> Decimal? {
    switch fields[name] {
    case let text as String: Decimal(string: text)
    case let number as NSNumber: Decimal(string: number.stringValue)
    default: nil
    }
  }

  func objects(_ name: String) -> [Payment] {
    (fields[name] as? [Any] ?? []).compactMap { ($0 as? [String: Any]).map(Payment.init) }
  }

  func object(_ name: String) -> Payment? { (fields[name] as? [String: Any]).map(Payment.init) }

  /// The receivers of either shape.
  var receivers: [Payment] {
    fields["receiverPaymentDetails"] == nil ? [self] : objects("receiverPaymentDetails")
  }

  var isPrimary: Bool { fields["isPrimary"] as? Bool == true }
  var currency: String { text("paymentCurrency") ?? "USD" }
  var recipient: String? { text("recipient")?.lowercased() }
  var subtotal: Decimal? { decimal("subtotal") ?? decimal("subTotal") }
  var items: [Payment] { object("invoiceData")?.objects("invoiceItems") ?? [] }

  /// What is sent to this receiver.
  var gross: Decimal? {
    guard let subtotal else { return nil }
    guard let invoice = object("invoiceData") else { return subtotal }
    guard let tax = invoice.decimal("totalTax"), let shipping = invoice.decimal("totalShipping") else { return nil }
    return subtotal + tax + shipping
  }

  /// The control amount of a payment without a defect.
  var controlAmount: Decimal {
    let primary = receivers.filter(\.isPrimary)
    return (primary.count == 1 ? primary : receivers).reduce(0) { $0 + ($1.gross ?? .nan) }
  }
}
