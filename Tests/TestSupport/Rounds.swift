#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether tests draw all of their cases: if `SETTLE_THOROUGH` is 1 (`tools/test --thorough`).
public let isThorough = getenv("SETTLE_THOROUGH").map { String(cString: $0) } == "1"

/// The number of rounds of a test that draws its cases: all of them in a thorough run, otherwise a quarter.
public func rounds(_ all: Int) -> Range<Int> { 0..<(isThorough ? all : (all + 3) / 4) }
