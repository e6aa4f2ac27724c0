/// The kind of service a receiver is paid for: `SUBTYPE_NOT_SET` or one of the 22 subtypes of the library guide.
///
/// The fee schedule may give each subtype a plan of its own.
public enum PaymentSubType: FixedText, WireValue {
  case notSet = "SUBTYPE_NOT_SET"
  case affiliatePayments = "SUBTYPE_AFFILIATE_PAYMENTS"
  case b2b = "SUBTYPE_B2B"
  case payroll = "SUBTYPE_PAYROLL"
  case rebates = "SUBTYPE_REBATES"
  case refunds = "SUBTYPE_REFUNDS"
  case reimbursements = "SUBTYPE_REIMBURSEMENTS"
  case donations = "SUBTYPE_DONATIONS"
  case utilities = "SUBTYPE_UTILITIES"
  case tuition = "SUBTYPE_TUITION"
  case government = "SUBTYPE_GOVERNMENT"
  case insurance = "SUBTYPE_INSURANCE"
  case remittances = "SUBTYPE_REMITTANCES"
  case rent = "SUBTYPE_RENT"
  case mortgage = "SUBTYPE_MORTGAGE"
  case medical = "SUBTYPE_MEDICAL"
  case childCare = "SUBTYPE_CHILD_CARE"
  case eventPlanning = "SUBTYPE_EVENT_PLANNING"
  case generalContractors = "SUBTYPE_GENERAL_CONTRACTORS"
  case entertainment = "SUBTYPE_ENTERTAINMENT"
  case tourism = "SUBTYPE_TOURISM"
  case invoice = "SUBTYPE_INVOICE"
  case transfer = "SUBTYPE_TRANSFER"
}
