import Failures
import Input
import JSON

/// A chunk of a shard's text, as `run` read it.
struct ShardChunk {
  /// Where it begins in the file; nil within a frame of linked blocks.
  let place: StoredPlace?
  /// The number of bytes of its text; -1 until it is known.
  var text = -1

  init(at place: StoredPlace?) { self.place = place }

  init(_ json: ShardJSON) throws(Failure) {
    text = try json.number("text")
    place = json.tree["from"] == nil ? nil : try StoredPlace(json)
  }

  var json: JSONTree { .object([("text", .number(text))] + (place?.fields ?? [])) }
}

extension StoredPlace {
  init(_ json: ShardJSON) throws(Failure) {
    self.init(
      offset: UInt64(try json.number("from")), isPlain: try json.flag("plain"), frames: try json.number("frames"))
    guard json.tree["block"] != nil else { return }
    block = Block(
      number: try json.number("block"), maximum: try json.number("blockMaximum"),
      hasBlockChecksums: try json.flag("blockChecksums"), hasContentChecksum: try json.flag("contentChecksum"))
  }

  var fields: [(String, JSONTree)] {
    var fields: [(String, JSONTree)] = [
      ("from", .number(Int(offset))), ("plain", .boolean(isPlain)), ("frames", .number(frames)),
    ]
    if let block {
      fields += [
        ("block", .number(block.number)), ("blockMaximum", .number(block.maximum)),
        ("blockChecksums", .boolean(block.hasBlockChecksums)),
        ("contentChecksum", .boolean(block.hasContentChecksum)),
      ]
    }
    return fields
  }
}
