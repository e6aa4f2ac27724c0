import Rules

/// What claims on agreements and on refunded payments met, for those who explain the records that made them.
///
/// The commit of a batch fills it in; it may be read once that has ended.
public final class ClaimTrace: @unchecked Sendable {  // The commit alone writes it; it is read afterwards.
  /// Where a record stands.
  public struct Place: Hashable, Sendable {
    /// The place of its file among the batch's files.
    public let file: Int
    /// Its line number in the file, from 1.
    public let line: Int

    /// Where a record stands.
    public init(file: Int, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// What a claim met.
  public enum Met: Sendable {
    /// An agreement before and after, nil if there is none; and the payment that claims it, if it is one.
    case agreement(before: Agreement?, after: Agreement?, AgreementPayment?)
    /// A settled payment as the refunds before left it, nil if nothing of it can be refunded; and the refund, if it
    /// is made.
    case payment(RefundedPayment?, MadeRefund?)
  }

  private let places: Set<Place>
  private var found: [Place: (met: Met, refusals: [ClaimRefusal])] = [:]

  /// Notes what the claims of the records at some places meet.
  public init(_ places: some Sequence<Place>) { self.places = Set(places) }

  func asks(for place: Place) -> Bool { places.contains(place) }

  func note(_ met: Met, _ refusals: [ClaimRefusal], at place: Place) { found[place] = (met, refusals) }

  /// What a record's claim met, and why it is refused; nil if it was not judged, because the batch ended before.
  public func found(at place: Place) -> (met: Met, refusals: [ClaimRefusal])? { found[place] }
}
