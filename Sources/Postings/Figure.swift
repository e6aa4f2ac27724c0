/// One of several figures that are kept together: how files and the ledger call it, and where it is.
///
/// What writes, reads, adds or compares figures goes through a table of these, so a figure is declared once.
public struct Figure<Figures, Value>: Sendable {
  /// The key in JSON, the column in the ledger, and in snake case the column in CSV.
  public let name: String
  public let path: WritableKeyPath<Figures, Value> & Sendable

  /// A row of a table of figures.
  public init(_ name: String, _ path: WritableKeyPath<Figures, Value> & Sendable) {
    self.name = name
    self.path = path
  }
}
