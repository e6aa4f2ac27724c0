import Claims
import Failures
import FileSystem
import Glibc

/// Takes what refunds need from each settled payment in batch order, and returns it in ascending order of fingerprints.
///
/// Fingerprints are evenly spread: their upper bits divide the payments into 256 parts. Full pieces of a part go to a
/// file without a name. A part is sorted when it is passed on. Memory: 4 MiB, one part, which is a 256th of everything,
/// and 32 bytes for each of its payments. Not safe for two threads at once, except where noted.
///
/// It is not an `ExternalSorter`: as the parts are known from the beginning, nothing is compared while payments come, and
/// nothing is merged, and several threads can read the parts.
public final class SettledPaymentSorter {
  private static let partBits: UInt64 = 8
  /// The number of bytes of a part that stay in memory before they go to the file.
  private static let pieceLength = 16 << 10
  /// The minimum number of bytes of a group of parts.
  private static let groupLength = 1 << 19
  /// The fingerprint and the length of the details, which follow.
  private static let headLength = 20
  /// The most bytes that the details of a payment may have.
  public static let maximumLength = pieceLength - headLength

  private let place: OutputPlace
  private var spool: SpoolFile?
  // Every settled payment touches these.
  private let pieces: UnsafeMutableRawPointer
  /// The bytes of each part that are in memory.
  @exclusivity(unchecked) private var held = [Int](repeating: 0, count: 1 << partBits)
  /// Where the full pieces of each part are in the file.
  private var written = [[Range<Int>]](repeating: [], count: 1 << partBits)

  /// The payments taken.
  @exclusivity(unchecked) public private(set) var count = 0

  /// - Parameter place: the output next to which the file is made once the payments no longer fit into memory.
  public init(beside place: OutputPlace) {
    self.place = place
    // Memory that is never touched costs nothing.
    pieces = .allocate(byteCount: Self.pieceLength << Self.partBits, alignment: 16)
  }

  deinit { pieces.deallocate() }

  /// Takes the details of a payment, with the fingerprint of its pay key; each payment once.
  ///
  /// Throws if the file cannot be made or written.
  public func append(_ key: Fingerprint, _ details: UnsafePointer<UInt8>, count length: Int) throws(Failure) {
    precondition(length <= Self.maximumLength, "the details of a payment are longer than a piece")
    let part = Int(key.high >> (64 - Self.partBits))
    if held[part] + Self.headLength + length > Self.pieceLength { try writePiece(of: part) }
    let start = pieces + part * Self.pieceLength + held[part]
    start.storeBytes(of: key, as: Fingerprint.self)
    start.storeBytes(of: UInt32(length), toByteOffset: 16, as: UInt32.self)
    memcpy(start + Self.headLength, details, length)
    held[part] += Self.headLength + length
    count += 1
  }

  private func writePiece(of part: Int) throws(Failure) {
    let file: SpoolFile
    if let spool { file = spool } else { file = try SpoolFile(beside: place) }
    spool = file
    written[part].append(file.count..<file.count + held[part])
    let start = pieces + part * Self.pieceLength
    try file.append(start.assumingMemoryBound(to: UInt8.self), count: held[part])
    held[part] = 0
  }

  /// Passes on all payments in order; may be called several times.
  public func forEach(_ take: (Fingerprint, UnsafeRawBufferPointer) throws -> Void) throws {
    for group in try groups() { try forEach(in: group, take) }
  }

  /// Groups of adjacent parts, each with about as many bytes as are worth a thread's time. Together they cover all
  /// parts, in order. Nothing may be appended any more.
  func groups() throws(Failure) -> [Range<Int>] {
    try spool?.flush()
    var groups: [Range<Int>] = []
    var (start, length) = (0, 0)
    for part in held.indices {
      length += held[part] + written[part].reduce(0) { $0 + $1.count }
      guard length >= Self.groupLength || part == held.count - 1 else { continue }
      groups.append(start..<part + 1)
      (start, length) = (part + 1, 0)
    }
    return groups
  }

  /// Passes on the payments of a group in order. Several threads may call it at once.
  func forEach(in group: Range<Int>, _ take: (Fingerprint, UnsafeRawBufferPointer) throws -> Void) throws {
    var bytes: [UInt8] = []
    var places: [(key: Fingerprint, range: Range<Int>)] = []
    for part in group {
      bytes.removeAll(keepingCapacity: true)
      for piece in written[part] {
        bytes += try [UInt8](unsafeUninitializedCapacity: piece.count) { buffer, initialized in
          try spool?.read(buffer.baseAddress!, count: piece.count, at: piece.lowerBound)
          initialized = piece.count
        }
      }
      bytes += UnsafeRawBufferPointer(start: pieces + part * Self.pieceLength, count: held[part])
      try bytes.withUnsafeBytes { bytes in
        places.removeAll(keepingCapacity: true)
        var at = 0
        while at < bytes.count {
          let key = bytes.loadUnaligned(fromByteOffset: at, as: Fingerprint.self)
          let start = at + Self.headLength
          at = start + Int(bytes.littleEndian(at: at + 16) as UInt32)
          places.append((key, start..<at))
        }
        places.sort { $0.key < $1.key }
        for place in places { try take(place.key, UnsafeRawBufferPointer(rebasing: bytes[place.range])) }
      }
    }
  }
}
