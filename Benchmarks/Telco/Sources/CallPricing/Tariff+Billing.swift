import ExactArithmetic

extension Tariff {
  /// Room for any call's line, its line end included; the longest there is takes 22 bytes.
  public static let longestLine = 32

  /// Prices calls and writes a line for each: what it costs with taxes, as `0.38`, and a line feed.
  ///
  /// The price is rate × seconds, rounded half to even to cents; the basic tax is its share of that price, cut to
  /// cents; a distance call pays the distance tax too, of the same price and cut as well.
  ///
  /// - Parameters:
  ///   - durations: Unsigned 64-bit integers, big-endian, without gaps: the seconds of each call. The lowest bit says
  ///     which call it is, too: 0 local, 1 distance. Traps if there are bytes left over.
  ///   - lines: Where the lines go; traps unless there is room of ``longestLine`` for each call.
  /// - Returns: The sums, and the number of bytes written to `lines`.
  public func bill(
    _ durations: UnsafeRawBufferPointer, writing lines: UnsafeMutableBufferPointer<UInt8>
  ) -> (totals: CallTotals, lineBytes: Int) {
    let width = MemoryLayout<UInt64>.size
    precondition(durations.count % width == 0, "Tariff: \(durations.count) bytes are no whole number of calls")
    let calls = durations.count / width
    precondition(lines.count >= calls * Self.longestLine, "Tariff: room for \(lines.count) bytes, \(calls) calls")
    var totals = CallTotals()
    guard calls > 0, let start = lines.baseAddress else { return (totals, 0) }
    var next = start
    for call in 0..<calls {
      let duration = UInt64(bigEndian: durations.loadUnaligned(fromByteOffset: call &* width, as: UInt64.self))
      let cost = cost(of: duration, addingTaxesTo: &totals)
      totals.prices.add(cost)
      precondition(cost.maximumPlainLength < Self.longestLine)
      next += cost.writePlain(to: next)
      next.pointee = UInt8(ascii: "\n")
      next += 1
    }
    return (totals, next - start)
  }

  /// What a call costs with taxes.
  @inline(__always)
  private func cost(of duration: UInt64, addingTaxesTo totals: inout CallTotals) -> ExactDecimal {
    let isDistance = duration & 1 == 1
    let seconds = ExactDecimal(magnitude: duration)
    let price =
      isDistance
      ? ExactDecimal.quantizedProduct(seconds, distanceRate, to: -2, rounding: .halfEven)
      : ExactDecimal.quantizedProduct(seconds, localRate, to: -2, rounding: .halfEven)
    let basicTax = ExactDecimal.quantizedProduct(price, basicTaxRate, to: -2, rounding: .down)
    totals.basicTax.add(basicTax)
    guard isDistance else { return price + basicTax }
    let distanceTax = ExactDecimal.quantizedProduct(price, distanceTaxRate, to: -2, rounding: .down)
    totals.distanceTax.add(distanceTax)
    return price + basicTax + distanceTax
  }
}
