import Rules

extension RejectionReason {
  /// What the code means, in a few words for somebody who has not read the error table.
  public var meaning: String {
    switch self {
    case .recordTooLong: "A record of more than 1048576 bytes."
    case .invalidUTF8: "A line that is not UTF-8."
    case .malformedJSON: "A line that is not one JSON value."
    case .notAnObject: "A JSON value, but no object."
    case .duplicateField: "A field twice in one object."
    case .unknownRecordType: "No header, payment or trailer."
    case .missingField: "A required field is absent."
    case .unknownField: "A field that its object does not have."
    case .wrongType: "Another JSON type than the field takes."
    case .invalidValue: "A value that the field does not take."
    case .invalidRecipient: "No email address or phone number."
    case .invalidCardNumber: "The number of a card that is none."
    case .decimalSyntax: "No decimal number, or one too long."
    case .negativeAmount: "An amount below zero."
    case .amountNotPositive: "Zero where an amount must be above it."
    case .amountPrecision: "More decimals than the currency has."
    case .currencyNotSupported: "No currency that can be settled."
    case .countryNotSupported: "Not one of the countries."
    case .currencyInCountryOnly: "A currency that stays within its country."
    case .paymentShape: "Single and several receivers at once, or neither."
    case .receiverCount: "More receivers than a payment may have, or too few."
    case .multiplePrimary: "More than one primary receiver."
    case .receiversNotUnique: "The same receiver twice."
    case .senderIsReceiver: "The sender among the receivers."
    case .paymentTypeMixed: "Receivers of different payment types."
    case .personalNotAllowed: "A personal receiver in a chained payment."
    case .subtypeNotAllowed: "A subtype on what is no service."
    case .fundingSourceMismatch: "A card beside another funding source."
    case .cardExpired: "A card that was no longer good when the payment was made."
    case .splitTerms: "Terms of a split that do not fit, or stand beside what does not fit them."
    case .splitExceedsTotal: "A split that promises more than there is."
    case .splitNotWhole: "A split that leaves something that nobody gets."
    case .splitZeroPart: "A part of a split that comes to zero."
    case .itemTotalMismatch: "An item's total above its price times count."
    case .invoiceSubtotalMismatch: "Items that do not add up to the subtotal."
    case .chainExceedsPrimary: "More passed on than the primary receives."
    case .feePayerNotAllowed: "A fee payer that the kind of payment does not have."
    case .feesExceedAmount: "Fees above what their bearer keeps."
    case .duplicatePayKey: "A pay key that an earlier payment of the batch has."
    case .alreadySettled: "A pay key that an earlier run settled."
    }
  }
}
