import BasicContainers

/// The names of fees by number, in one piece of memory: a look-up counts no reference.
@usableFromInline
struct FeeNames: ~Copyable {
  /// A name with its length before it.
  private static let width = 33
  private var cells: RigidArray<UInt8>

  init(_ names: [[UInt8]]) {
    cells = RigidArray(capacity: names.count * Self.width)
    for name in names {
      cells.append(UInt8(name.count))
      for place in 0..<Self.width - 1 { cells.append(place < name.count ? name[place] : 0) }
    }
  }

  subscript(number: Int) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let start = number &* Self.width
      return cells.span.extracting(start &+ 1..<start &+ 1 &+ Int(cells[start]))
    }
  }
}
