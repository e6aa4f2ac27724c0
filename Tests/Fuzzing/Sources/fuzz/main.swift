import CFuzzer
import FuzzTargets
import Glibc

// libFuzzer restarts itself with the same arguments and must know all of them, so the target is in the environment.
let target: FuzzTarget = {
  guard let name = getenv("SETTLE_FUZZ_TARGET").map({ String(cString: $0) }), let target = FuzzTarget(rawValue: name)
  else {
    print("SETTLE_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
    exit(64)
  }
  return target
}()

/// A change as libFuzzer makes it. In most LZ4 files the checksums are then corrected, which libFuzzer could not guess.
@_cdecl("LLVMFuzzerCustomMutator")
func change(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  let changed = LLVMFuzzerMutate(bytes, count, most)
  if target == .frames, seed % 4 != 0 {
    var frames = MutableSpan(_unsafeStart: bytes, count: changed)
    FrameRepair.repair(&frames)
  }
  return changed
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    if let complaint = target.complaint(about: Array(UnsafeBufferPointer(start: bytes, count: count))) {
      fatalError(complaint)
    }
    return 0
  })
