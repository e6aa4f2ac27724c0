import JSON
import Records
import Rules

/// How the terms of an agreement are shown.
extension AgreementTerms {
  /// The terms under the names of a record's fields; absent fields have the values they imply.
  private var fields: [(field: PreapprovalField, value: JSONTree)] {
    func count(_ count: Int?) -> JSONTree { count.map { .number($0) } ?? .null }
    return [
      (.startingDate, .string(firstDay.text + "Z")), (.endingDate, .string(lastDay.text + "Z")),
      (.currencyCode, .string(currency.code)), (.maxTotalAmountOfAllPayments, .string(total.description)),
      (.maxAmountPerPayment, .given(perPayment?.description)), (.maxNumberOfPayments, count(self.count)),
      (.maxNumberOfPaymentsPerPeriod, count(countPerPeriod)), (.paymentPeriod, .string(period.name)),
      (.dateOfMonth, .number(dateOfMonth)), (.dayOfWeek, .string(dayOfWeek.name)),
      (.pinType, .string(pinType.name)), (.feesPayer, .string(feesPayer.name)),
    ]
  }

  var json: JSONTree { .object(fields.map { (Array($0.definition.name.description.utf8), $1) }) }

  /// The terms for people, one a line.
  var lines: [String] {
    fields.map { field, value in
      let shown = if case .string(let text) = value { String(decoding: text, as: UTF8.self) } else { "\(value)" }
      return "\(field.definition.name): \(shown == "null" ? "no limit" : shown)"
    }
  }
}
