import Money

/// The control totals of a run of payments: the sum of their control amounts by currency.
struct SampleTotals {
  /// By currency, in the smallest amounts the settlement takes; a sum beyond 128 bits traps.
  private var sums = [UInt128](repeating: 0, count: Currency.count)

  /// Counts one control amount.
  @inline(__always)
  mutating func add(_ amount: UInt64, in currency: Currency) {
    sums[Int(currency.index)] += UInt128(amount)
  }

  /// Counts what another run has.
  mutating func add(_ other: SampleTotals) {
    for index in sums.indices { sums[index] += other.sums[index] }
  }

  /// The totals as JSON, `{"AUD":"1.00","USD":"2.50"}`: the currencies that are not zero.
  var json: String {
    let fields = Currency.all.compactMap { currency -> String? in
      let sum = sums[Int(currency.index)]
      return sum == 0 ? nil : "\"\(currency.code)\":\"\(SampleTotals.plain(sum, currency.settlementExponent))\""
    }
    return "{" + fields.joined(separator: ",") + "}"
  }

  private static func plain(_ sum: UInt128, _ decimals: Int) -> String {
    let digits = String(sum)
    guard decimals > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}

extension PaymentDraft {
  /// What the payment counts for in the control totals (`rules.md`, "Amounts"), or nil where that cannot be told.
  ///
  /// Only its fields are looked at: records that are spoilt as a whole, or in their shape, have none either.
  var controlAmount: UInt64? {
    switch fault.place {
    case .currency, .receivers, .receiver, .isPrimary: return nil
    default: break
    }
    let hasOnePrimary = receivers.count { $0.isPrimary } == 1
    let unreadable: Int? =
      switch fault.place {
      case .subtotal, .tax, .shipping: fault.receiver
      default: nil
      }
    var sum: UInt64 = 0
    for (index, receiver) in receivers.enumerated() where receiver.isPrimary || !hasOnePrimary {
      if index == unreadable { return nil }
      sum += receiver.gross
    }
    return sum
  }
}
