import Failures
import Glibc
import SystemPackage

/// Does something to make an output ready. If the system refuses, throws that the output is unavailable.
///
/// - Parameters:
///   - shown: the file's path for messages.
///   - deed: what is done to it, such as "opened".
@discardableResult
public func preparing<Result>(
  _ shown: @autoclosure () -> String, _ deed: String, _ body: @autoclosure () throws(Errno) -> Result
) throws(Failure) -> Result {
  do throws(Errno) { return try body() } catch { throw .unavailable("\(shown()): cannot be \(deed): \(error)") }
}

/// Does something with an output that is being written. If the system refuses, throws an input/output error.
@discardableResult
public func using<Result>(
  _ shown: @autoclosure () -> String, _ deed: String, _ body: @autoclosure () throws(Errno) -> Result
) throws(Failure) -> Result {
  do throws(Errno) { return try body() } catch { throw .inputOutput("\(shown()): cannot be \(deed): \(error)") }
}

/// Makes a system call, and repeats it if a signal interrupts it. Throws the error if it fails.
///
/// For calls that swift-system does not provide.
@discardableResult
public func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let error = Errno(rawValue: errno)
    if error != .interrupted { throw error }
  }
}

/// Makes a swift-system call, which throws only `Errno`.
public func systemCall<Result>(throwing call: () throws -> Result) throws(Errno) -> Result {
  do {
    return try call()
  } catch {
    guard let error = error as? Errno else { preconditionFailure("swift-system throws \(error)") }
    throw error
  }
}
