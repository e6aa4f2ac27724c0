import Input
import JSON

/// A chunk of a shard's text, as `run` read it.
struct ShardChunk: JSONObject {
  /// Where it begins in the file; nil within a frame of linked blocks.
  var place: StoredPlace?
  /// The number of bytes of its text; -1 until it is known.
  var text = -1

  static var fields: [JSONField<Self>] { [.init("text", \.text)] + StoredPlace.fields.map { $0.lifted(to: \.place) } }
}

extension StoredPlace: JSONObject {
  package init() { self.init(offset: 0, isPlain: false) }

  private var start: Int {
    get { Int(offset) }
    set { offset = UInt64(newValue) }
  }

  package static var fields: [JSONField<Self>] {
    [.init("from", \.start), .init("plain", \.isPlain), .init("frames", \.frames)]
      + Block.fields.map { $0.lifted(to: \.block) }
  }
}

extension StoredPlace.Block: JSONObject {
  package init() { self.init(number: 0, maximum: 0, hasBlockChecksums: false, hasContentChecksum: false) }

  package static var fields: [JSONField<Self>] {
    [
      .init("block", \.number), .init("blockMaximum", \.maximum), .init("blockChecksums", \.hasBlockChecksums),
      .init("contentChecksum", \.hasContentChecksum),
    ]
  }
}
