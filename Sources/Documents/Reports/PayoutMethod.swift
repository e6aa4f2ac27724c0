/// How a payee is paid. A third method is one more value in `all`, and its format in Payouts.
public struct PayoutMethod: Sendable {
  /// The name in payees files, debtor files and reports.
  public let name: String
  /// Its place in `all`.
  public let place: Int
  let filePrefix: String
  let fileSuffix: String
  /// The most minor units of a payment.
  public let maximum: Int

  /// A credit transfer to an IBAN, by pain.001.
  public static let iban = PayoutMethod(
    name: "IBAN", place: 0, filePrefix: "pain001", fileSuffix: "xml", maximum: 99_999_999_999)
  /// An entry of a NACHA file.
  public static let ach = PayoutMethod(
    name: "ACH", place: 1, filePrefix: "nacha", fileSuffix: "ach", maximum: 9_999_999_999)
  /// All methods, in the order in which their files are listed.
  public static let all = [iban, ach]
}

extension PayoutMethod {
  /// The method of a name; nil for another name.
  public init?(name: String) {
    guard let method = Self.all.first(where: { $0.name == name }) else { return nil }
    self = method
  }
}

extension PayoutMethod: Hashable {
  /// Whether both are the same method.
  public static func == (left: PayoutMethod, right: PayoutMethod) -> Bool { left.place == right.place }

  /// Hashes the place.
  public func hash(into hasher: inout Hasher) { hasher.combine(place) }
}
