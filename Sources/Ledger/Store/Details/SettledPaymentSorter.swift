import BasicContainers
import Claims
import Failures
import FileSystem
import Text

/// Takes what refunds need from each settled payment in batch order, and returns it in ascending order of fingerprints.
///
/// Fingerprints are evenly spread: their upper bits divide the payments into 256 parts. Full pieces of a part go to a
/// file without a name. A part is sorted when it is passed on. Memory: 4 MiB, one part, which is a 256th of everything,
/// and 48 bytes for each of its payments. Not safe for two threads at once, except where noted.
///
/// An entry is the fingerprint of a payment's pay key, the length of its details in two bytes, and the details.
///
/// It is not an `ExternalSorter`: as the parts are known from the beginning, nothing is compared while payments come, and
/// nothing is merged, and several threads can read the parts.
public final class SettledPaymentSorter: @unchecked Sendable {  // Read by several threads once one has taken all.
  /// The payments whose fingerprints have the same upper bits.
  private struct Part: ~Copyable {
    /// The entries in memory.
    var held = TextBuffer()
    /// Where the full pieces are in the file.
    var written: [Range<Int>] = []
    var count = 0

    /// Its bytes.
    var length: Int { held.count + written.reduce(0) { $0 + $1.count } }

    /// Takes an entry; false if it does not fit into the piece.
    mutating func append(_ entry: Span<UInt8>) -> Bool {
      guard held.count + entry.count <= pieceLength else { return false }
      held.append(entry)
      count += 1
      return true
    }

    mutating func writePiece(to file: SpoolFile) throws(Failure) {
      written.append(file.count..<file.count + held.count)
      try file.append(held.span)
      held.removeAll()
    }

    func read(_ file: SpoolFile?, into text: inout TextBuffer) throws(Failure) {
      for piece in written {
        try text.append(atMost: piece.count) { room throws(Failure) in try file!.read(piece, into: &room) }
      }
      text.append(held.span)
    }
  }

  private static let partBits: UInt64 = 8
  /// The number of bytes of a part that stay in memory before they go to the file.
  private static let pieceLength = 16 << 10
  /// The minimum number of bytes of a group of parts.
  private static let groupLength = 1 << 19
  /// The bytes of an entry before the details.
  public static let headLength = Fingerprint.length + 2

  private let place: OutputPlace
  private var spool: SpoolFile?
  private var parts = RigidArray<Part>(capacity: 1 << partBits)

  /// - Parameter place: the output next to which the file is made once the payments no longer fit into memory.
  public init(beside place: OutputPlace) {
    self.place = place
    for _ in 0..<1 << Self.partBits { parts.append(Part()) }
  }

  /// The payments taken.
  public var count: Int { parts.indices.reduce(0) { $0 + parts[$1].count } }

  /// Takes the details of a payment, with the fingerprint of its pay key; each payment once.
  ///
  /// Throws if the file cannot be made or written.
  public func append(_ key: Fingerprint, _ details: Span<UInt8>) throws(Failure) {
    var entry = TextBuffer(capacity: Self.headLength + details.count)
    key.append(to: &entry)
    entry.append(littleEndian: UInt16(details.count))
    entry.append(details)
    try append(entries: entry.span)
  }

  /// Takes entries, one after the other; each payment once.
  ///
  /// Throws if the file cannot be made or written.
  public func append(entries: Span<UInt8>) throws(Failure) {
    try Self.divide(entries, among: &parts) { part throws(Failure) in try writePiece(of: &part) }
  }

  /// - Parameter writePiece: makes room in a part.
  private static func divide(
    _ entries: Span<UInt8>, among parts: inout RigidArray<Part>, _ writePiece: (inout Part) throws(Failure) -> Void
  ) throws(Failure) {
    var at = 0
    while at < entries.count {
      let end = end(of: entries, at: at)
      precondition(end - at <= pieceLength, "the details of a payment are longer than a piece")
      let entry = entries.extracting(at..<end)
      let part = Int(Fingerprint(entries, at: at).high >> (64 - partBits))
      while !parts[part].append(entry) { try writePiece(&parts[part]) }
      at = end
    }
  }

  /// Where the entry ends that begins at a place.
  private static func end(of entries: Span<UInt8>, at place: Int) -> Int {
    place + headLength + length(of: entries, at: place)
  }

  /// The length of the details of the entry that begins at a place.
  public static func length(of entries: Span<UInt8>, at place: Int) -> Int {
    Int(entries.littleEndian(at: place + Fingerprint.length, as: UInt16.self))
  }

  private func writePiece(of part: inout Part) throws(Failure) {
    let file: SpoolFile
    if let spool { file = spool } else { file = try SpoolFile(beside: place) }
    spool = file
    try part.writePiece(to: file)
  }

  /// Passes on all payments in order; may be called several times.
  public func forEach(_ take: (Fingerprint, Span<UInt8>) throws -> Void) throws {
    for group in try groups() { try forEach(in: group, take) }
  }

  /// Groups of adjacent parts, each with about as many bytes as are worth a thread's time. Together they cover all
  /// parts, in order. Nothing may be appended any more.
  func groups() throws(Failure) -> [Range<Int>] {
    try spool?.flush()
    var groups: [Range<Int>] = []
    var (start, length) = (0, 0)
    for part in parts.indices {
      length += parts[part].length
      guard length >= Self.groupLength || part == parts.count - 1 else { continue }
      groups.append(start..<part + 1)
      (start, length) = (part + 1, 0)
    }
    return groups
  }

  /// Passes on the payments of a group in order. Several threads may call it at once.
  func forEach(in group: Range<Int>, _ take: (Fingerprint, Span<UInt8>) throws -> Void) throws {
    var text = TextBuffer(capacity: Self.pieceLength)
    for part in group {
      text.removeAll()
      try parts[part].read(spool, into: &text)
      for place in Self.sorted(text.span, count: parts[part].count) {
        try take(place.key, text.span.extracting(place.details..<Self.end(of: text.span, at: place.entry)))
      }
    }
  }

  /// The places of a part's entries, in the order of the fingerprints.
  private static func sorted(_ entries: Span<UInt8>, count: Int) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(count)
    var at = 0
    while at < entries.count {
      places.append(Place(key: Fingerprint(entries, at: at), entry: at))
      at = end(of: entries, at: at)
    }
    return Fingerprint.sorted(places.span, commonBits: Int(partBits)) { $0.key }
  }

  /// Where an entry begins.
  private struct Place: BitwiseCopyable {
    let key: Fingerprint
    let entry: Int
    var details: Int { entry + headLength }
  }
}
