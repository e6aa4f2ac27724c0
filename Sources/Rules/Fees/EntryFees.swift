import ExactArithmetic

/// What a settled payment or refund charges by name; a refund gives it back, below zero. Empty if the night shows no
/// names.
public struct EntryFees: ~Escapable {
  private let charges: Span<ChargedFee>
  /// The names by the numbers that charges have.
  private let names: [[UInt8]]

  @_lifetime(copy charges)
  init(_ charges: Span<ChargedFee>, names: [[UInt8]]) { (self.charges, self.names) = (charges, names) }

  public var isEmpty: Bool { charges.isEmpty }

  /// The sum of VAT.
  public var vat: ExactDecimal {
    var sum = charges[0].vat
    for place in 1..<charges.count { sum.add(charges[place].vat) }
    return sum
  }

  /// Calls `body` with each name, in the order of bytes, and the sum of its fees without VAT.
  @inline(__always)
  public func forEachName(_ body: (Span<UInt8>, ExactDecimal) -> Void) {
    var last: Int?
    while let next = next(after: last) {
      var sum: ExactDecimal?
      let name = names[next]
      for place in charges.indices where names[charges[place].name] == name {
        sum = sum.map { $0 + charges[place].fee } ?? charges[place].fee
      }
      body(name.span, sum!)
      last = next
    }
  }

  /// The number of the first name after another one; nil after the last.
  private func next(after last: Int?) -> Int? {
    var next: Int?
    for place in charges.indices {
      let name = charges[place].name
      if let last, !names[last].lexicographicallyPrecedes(names[name]) { continue }
      if let first = next, !names[name].lexicographicallyPrecedes(names[first]) { continue }
      next = name
    }
    return next
  }
}

extension Judgement {
  /// What the settled payment charges by name.
  ///
  /// - Parameter names: the night's names of fees, by number.
  @_lifetime(borrow self)
  public func fees(named names: [[UInt8]]) -> EntryFees { EntryFees(charges, names: names) }
}

extension MadeRefund {
  /// Calls `body` with what the refund gives back by name.
  public func withFees(_ body: (EntryFees) -> Void) {
    let charges = returned.enumerated().map { number, part in
      var charge = ChargedFee()
      (charge.receiver, charge.name, charge.fee, charge.vat) = (part.place, number, -part.fee, -part.vat)
      return charge
    }
    body(EntryFees(charges.span, names: returned.map(\.name)))
  }
}
