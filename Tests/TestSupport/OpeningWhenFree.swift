#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens something that is locked while in use; if it is busy, tries again for up to ten seconds.
///
/// A process that another test starts inherits this process's descriptors, and with them the locks of what is closed
/// here, until it has become another program.
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
