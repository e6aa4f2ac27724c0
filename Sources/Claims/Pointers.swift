// What the targets above still call with pointers. It is removed with its last caller.
extension KeyedHash {
  /// The fingerprint of the text of `count` bytes.
  public func fingerprint(_ bytes: UnsafePointer<UInt8>, count: Int) -> Fingerprint {
    unsafe fingerprint(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}

extension ClaimedKeys {
  /// The keys of a shard.
  @unsafe public func rawSettled(shard: Int) -> UnsafeBufferPointer<Fingerprint> {
    unsafe settled(shard: shard).withUnsafeBufferPointer { unsafe $0 }
  }
}
