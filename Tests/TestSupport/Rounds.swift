#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The rounds of a test that draws its cases: a quarter of them, and all where `SETTLE_THOROUGH` is 1 (`tools/test
/// --thorough`).
public func rounds(_ all: Int) -> Range<Int> {
  0..<(getenv("SETTLE_THOROUGH").map { String(cString: $0) } == "1" ? all : (all + 3) / 4)
}
