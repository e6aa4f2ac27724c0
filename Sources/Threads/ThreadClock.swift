import Glibc
import Synchronization

/// Measures what the processor time of a run is spent on, for `tools/measure --lanes`. It is on only if the environment
/// variable `SETTLE_LANES` names a file. When the process ends, the nanoseconds of each part are written there.
public enum ThreadClock {
  /// A part of a run.
  public enum Part: Int, CaseIterable, Sendable {
    /// Starting, and everything that is not another part.
    case other
    /// Reading the stored bytes, one chunk after the other.
    case reading
    /// Expanding chunks and settling their lines, on all workers.
    case settling
    /// Writing texts at their offsets, on all workers.
    case writing
    /// The commit: claims and merging.
    case committing
    /// The lane of the stored bytes' SHA-256.
    case storedDigest
    /// The lane of the frames' content checksums.
    case contentChecksum
    /// The lane of the plain SHA-256 of the texts.
    case textDigest
    /// The lane of a report's SHA-256.
    case reportDigest
    /// The lane of what refunds need.
    case refundables
    /// After the last chunk, one thing after the other.
    case ending
    /// After the last chunk, on all threads.
    case endingTogether
  }

  private static let spent = Mutex([UInt64](repeating: 0, count: Part.allCases.count))

  private static let isOn: Bool = {
    guard getenv("SETTLE_LANES") != nil else { return false }
    atexit { ThreadClock.tell() }
    return true
  }()

  /// The part that a thread is in, and its clock when that part began.
  private struct Place {
    var part = Part.other
    var since: UInt64 = 0
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "a process has room for a key")
    return key
  }()

  private static var place: UnsafeMutablePointer<Place> {
    if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Place.self) }
    let made = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    made.initialize(to: Place())
    pthread_setspecific(key, made)
    return made
  }

  /// Does something, and counts the thread's time as a part's, except for time that counts as another part's.
  @inline(__always)
  public static func count<Result, Failure: Error>(
    as part: Part, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isOn else { return try body() }
    let before = enter(part)
    defer { _ = enter(before) }
    return try body()
  }

  /// From now on, counts the thread's time as a part's. Returns the part before.
  @discardableResult
  public static func enter(_ part: Part) -> Part {
    guard isOn else { return .other }
    let (now, place) = (nanoseconds(CLOCK_THREAD_CPUTIME_ID), place)
    spent.withLock { $0[place.pointee.part.rawValue] += now - place.pointee.since }
    defer { place.pointee = Place(part: part, since: now) }
    return place.pointee.part
  }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func tell() {
    enter(.other)
    let spent = spent.withLock { $0 }
    var text = Part.allCases.map { "\($0) \(spent[$0.rawValue])\n" }.joined()
    text += "whole \(nanoseconds(CLOCK_PROCESS_CPUTIME_ID))\n"
    guard let path = getenv("SETTLE_LANES"), let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}
