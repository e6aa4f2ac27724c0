#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens something that is locked while in use; if it is busy, tries again for up to ten seconds.
///
/// A process that another test starts inherits this process's descriptors. It holds their locks, even after they are
/// closed here, until it executes its program.
public func openingWhenFree<Opened, Failure: Error>(
  isBusy: (Failure) -> Bool, _ open: () throws(Failure) -> Opened
) throws(Failure) -> Opened {
  for _ in 0..<1000 {
    do throws(Failure) {
      return try open()
    } catch {
      guard isBusy(error) else { throw error }
      usleep(10_000)
    }
  }
  return try open()
}
