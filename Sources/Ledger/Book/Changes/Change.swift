import Failures

/// What a payout changes of a balance besides paying it, such as a payment that came back.
public struct Change<Note: ChangeNote>: Sendable, Equatable {
  public let note: Note
  public let amount: AccountAmount

  public init(_ note: Note, _ amount: AccountAmount) { (self.note, self.amount) = (note, amount) }

  /// Whether it is another one that has a key of this one, whatever their reasons are.
  public func isSame(as other: Change) -> Bool { Note.keySaysAmount || amount == other.amount }

  /// Whether a list that has another one means this one.
  public func isListed(as other: Change) -> Bool {
    [note.key, note.listedKey].contains(other.note.key) && note.reason == other.note.reason && isSame(as: other)
  }
}

/// A change that the ledger has booked.
public struct BookedChange<Note: ChangeNote>: Sendable, Equatable {
  public let change: Change<Note>
  /// The payout that booked it, or that was given up with it.
  public let payout: Int

  package init(_ change: Change<Note>, payout: Int) { (self.change, self.payout) = (change, payout) }
}

/// What a change has besides its amount.
public protocol ChangeNote: Sendable, Equatable {
  associatedtype Key: Hashable, Comparable, Sendable, CustomStringConvertible

  /// The list that has such changes.
  static var list: ListKind { get }
  /// Whether the amount follows from the key.
  static var keySaysAmount: Bool { get }
  /// What identifies it in the ledger.
  var key: Key { get }
  /// The key that its payout lists it under; nil if it is `key`.
  var listedKey: Key? { get }
  /// Why it was made: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  var reason: String { get }
  /// The form in which the ledger keeps it. Changes of one account and currency are in the order of these bytes.
  var bytes: [UInt8] { get }

  init(_ bytes: ArraySlice<UInt8>) throws(Failure)
}

extension ChangeNote {
  public var listedKey: Key? { nil }
}
