import ExactArithmetic
import Input

/// What `adjustedAmounts` of a payment says (`amounts.md`).
struct AdjustedAmounts {
  /// A receiver's amounts.
  struct Entry {
    /// The account, in lower case; nil if it is not valid, and in the single shape.
    var account: AccountText?
    /// The account as it stands in the record.
    var recipient = JSONSlice.absent
    var areAmountsValid = false
    var subtotal = ExactDecimal.zero
    var tax = ExactDecimal.zero
    var shipping = ExactDecimal.zero
    /// Whether a receiver has it.
    var isTaken = false
    /// Whether its account is that of an earlier entry.
    var isRepeated = false
  }

  /// Whether the payment has the field; of one that does not, nothing else here means anything.
  var isGiven = false
  /// Whether it can be told whose amounts are adjusted; else nobody's amounts are known.
  var areTold = true
  /// In the order of the elements, those that are no objects included; in the single shape one.
  var entries: [Entry] = []
  /// The places in `entries` of the first of each account.
  var places: [AccountText: Int] = [:]
  /// How many receivers have a valid account.
  var accountCount = 0

  /// Makes it those of another payment.
  mutating func reset() {
    isGiven = true
    areTold = true
    // What a wide record needed is given back.
    entries.removeAll(keepingCapacity: entries.count < 64)
    places.removeAll(keepingCapacity: places.count < 64)
    accountCount = 0
  }
}
