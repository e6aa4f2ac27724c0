import Rules

/// Records what claims on agreements and refunded payments met, to explain the records that made them.
///
/// The commit of a batch fills it in; read it once the batch has ended.
public final class ClaimTrace: @unchecked Sendable {  // Only the commit writes it; it is read afterwards.
  public struct Place: Hashable, Sendable {
    /// The index of its file among the batch's files.
    public let file: Int
    /// Its line number in the file, from 1.
    public let line: Int

    /// Creates the place of a record.
    public init(file: Int, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// What a claim met.
  public enum Met: Sendable {
    /// An agreement before and after, nil if it does not exist; and the payment that claims it, if a payment does.
    case agreement(before: Agreement?, after: Agreement?, AgreementPayment?)
    /// A settled payment as earlier refunds left it, nil if it cannot be refunded; and the refund, if it is made.
    case payment(RefundedPayment?, MadeRefund?)
  }

  private let places: Set<Place>
  private var found: [Place: (met: Met, refusals: [ClaimRefusal])] = [:]

  /// Records what the claims of the records at some places meet.
  public init(_ places: some Sequence<Place>) { self.places = Set(places) }

  package func asks(for place: Place) -> Bool { places.contains(place) }

  package func note(_ met: Met, _ refusals: [ClaimRefusal], at place: Place) { found[place] = (met, refusals) }

  /// What a record's claim met, and why it was refused; nil if it was not judged, because the batch ended before.
  public func found(at place: Place) -> (met: Met, refusals: [ClaimRefusal])? { found[place] }
}
