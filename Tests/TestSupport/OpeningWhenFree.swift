#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens what is locked while it is in use, and tries again for up to ten seconds where it is told to be busy.
///
/// A process that another test starts has this one's descriptors, and with them the locks of what is closed here
/// meanwhile, until it has become another program.
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
