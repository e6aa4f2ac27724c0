import Postings

/// The figures and the posting of a receiver that is being checked.
struct ReceiverEdit: ~Copyable, ~Escapable {
  private var allFigures: MutableSpan<ReceiverFigures>
  private var postings: MutableSpan<Posting>
  private let number: Int

  @_lifetime(copy figures, copy postings)
  fileprivate init(
    _ number: Int, of figures: consuming MutableSpan<ReceiverFigures>, _ postings: consuming MutableSpan<Posting>
  ) {
    precondition(number >= 0 && number < figures.count && number + 1 < postings.count, "a receiver beyond the sixth")
    allFigures = figures
    self.postings = postings
    self.number = number
  }

  var figures: ReceiverFigures {
    @inline(__always) _read { yield allFigures[number] }
    @inline(__always) _modify { yield &allFigures[number] }
  }

  var posting: Posting {
    @inline(__always) _read { yield postings[1 + number] }
    @inline(__always) _modify { yield &postings[1 + number] }
  }

  /// Sets the gross to subtotal plus tax plus shipping.
  @inline(__always)
  mutating func addUpGross() {
    postings[1 + number].gross.set(allFigures[number].subtotal)
    postings[1 + number].gross.add(allFigures[number].totalTax)
    postings[1 + number].gross.add(allFigures[number].totalShipping)
  }

  @inline(__always)
  mutating func setGrossToSubtotal() { postings[1 + number].gross.set(allFigures[number].subtotal) }
}

extension ReceiverList {
  /// A receiver to be changed, by its place among the receivers (0-5).
  @inline(__always) @_lifetime(&self)
  mutating func edit(_ number: Int) -> ReceiverEdit {
    ReceiverEdit(number, of: figures.mutableSpan, postings.mutableSpan)
  }
}
