import JSON

/// A file of one JSON object on one line.
package protocol JSONDocument {
  /// The finding for an object that is another one.
  static var isAnother: String { get }
  /// Nil if the object is another one.
  init?(_ tree: JSONTree)
  /// The object as it is written.
  var tree: JSONTree { get }
}
