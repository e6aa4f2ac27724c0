import BatchFile
import ExactArithmetic

/// `receivers.csv`: a row for each receiver account and currency, sorted by account, then currency.
public enum ReceiversReport {
  /// The file's name.
  public static let fileName = "receivers.csv"
  /// The header row.
  public static var header: StaticString { "account,currency,payments,gross,passed_on,fee,net\n" }

  /// Appends one row; `net` is what the other figures leave.
  ///
  /// - Parameter account: account, comma and currency code, as they stand in the row.
  public static func append(
    account: UnsafePointer<UInt8>, count: Int, payments: Int, gross: ExactDecimal, passedOn: ExactDecimal,
    fee: ExactDecimal, to text: inout TextBuffer
  ) {
    text.append(account, count: count)
    text.append(UInt8(ascii: ","))
    text.append(number: payments)
    text.append(UInt8(ascii: ","))
    text.append(gross)
    text.append(UInt8(ascii: ","))
    text.append(passedOn)
    text.append(UInt8(ascii: ","))
    text.append(fee)
    text.append(UInt8(ascii: ","))
    var net = gross
    net.subtract(passedOn)
    net.subtract(fee)
    text.append(net)
    text.append(UInt8(ascii: "\n"))
  }
}
